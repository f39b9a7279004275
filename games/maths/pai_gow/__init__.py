"""Hands of seven cards set in two against a dealer who shows his own: Face Up Pai Gow Poker (chapter 688a)."""
