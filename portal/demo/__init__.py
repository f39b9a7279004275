"""The demonstration: organizations and people that do not exist, and one filing carried through the real pipeline."""
