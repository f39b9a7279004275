"""Hands of seven cards set in two against a dealer whose hands are shown: Face Up Pai Gow Poker (chapter 688a)."""
