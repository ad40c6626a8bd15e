"""Scorers: one rule a module, behind one protocol. Pure: no files, no processes, no clock."""
