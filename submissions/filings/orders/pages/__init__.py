"""Pages of orders and of the temporary chapters."""
