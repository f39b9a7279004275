"""Pages of `submissions.orders`."""
