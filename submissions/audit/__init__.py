"""The append-only, hash-chained history: writing events, checking the chain, the timeline of a submission."""
