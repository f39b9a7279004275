"""The public log of the history: a signed Merkle tree over its events, which anyone can check."""
