"""The public log of the history: a Merkle tree over its events, signed, and provable to anyone. Nothing confidential."""
