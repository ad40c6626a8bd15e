"""Use cases: what a page or a command asks for."""
