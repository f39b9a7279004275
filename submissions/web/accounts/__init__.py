"""Pages of `submissions.accounts`."""
