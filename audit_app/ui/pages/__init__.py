"""Pages: each lays out what a service gives, and passes on what a person submits."""
