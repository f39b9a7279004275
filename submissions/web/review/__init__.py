"""Pages of `submissions.review`."""
