"""What every estimator shares: checked input, learning, scoring, parameters, files."""
