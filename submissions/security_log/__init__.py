"""The security log: who signed in, was refused, exported or downloaded; for a page, and as lines for other systems."""
