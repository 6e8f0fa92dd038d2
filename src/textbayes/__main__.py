"""``python -m textbayes``: the command line."""

from textbayes.cli import main

if __name__ == "__main__":
    main()
