"""Parts that pages are made of: the review desk and the rail."""
