"""Draw and exchange: one's own five cards, improved for a fee, against the dealer's that must qualify."""
