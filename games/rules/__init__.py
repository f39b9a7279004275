"""The vocabulary of the rule model, and the judgment of answers against it."""
