"""Seven cards against the dealer's hidden seven, by the longest flush."""
