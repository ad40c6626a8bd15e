"""Measurements, not tests: ``make bench`` prints ratios within one run."""
