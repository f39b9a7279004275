"""The first three cards of a shoe by their points, and a decision after the first."""
