"""One's own cards with community cards, and raises by stages against a paytable: a package for each kind of game."""
