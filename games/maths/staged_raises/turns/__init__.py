"""Own cards and community cards that turn up one by one, a decision before each; the best five cards are paid."""
