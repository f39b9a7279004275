"""Two cards of one's own and five community cards against the dealer, with three chances to raise once."""
