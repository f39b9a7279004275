"""The first three cards of a shoe by their points, a decision after the first: Over/Under (chapter 686a)."""
