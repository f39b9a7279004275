"""Help: a guide for each role, the words that the pages use, whom to ask."""
