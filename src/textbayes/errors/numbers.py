"""The range of positive numbers that models calculate with.

A product of a count, a weight and a smoothing parameter, summed over all documents and squared, is a number
then, and so is its inverse. Model files are checked in the same way: sums are at most 1e150.
"""

LEAST, MOST = 1e-50, 1e50
