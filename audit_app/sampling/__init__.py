"""Sampling: plans, frames, allocation, draws, the sequential rule and where an audit stands."""
