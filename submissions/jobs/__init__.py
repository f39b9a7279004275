"""Work that is done once, even when a worker dies: leases, progress, idempotent calls."""
