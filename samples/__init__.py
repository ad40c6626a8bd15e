"""Bundled benchmarks, written for this project."""
