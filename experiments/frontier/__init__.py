"""Mirrorball on the rows of other people's published comparisons, and on fifteen more tables beside other packages.

`python -m experiments.frontier B` runs a set, docs/frontier.md shows what came out.
"""
