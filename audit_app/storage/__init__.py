"""The workspace file: one SQLite database, the only place that knows sqlite-utils.

What reviewers do is kept as append-only rows (reviews, findings, marks, samples, rubric answers,
statements): triggers refuse an update or a delete, and "current" is a query. Benchmarks are
immutable and found by content hash. Drafts are working state and may change.
"""
