"""The vocabulary of the rule model, and the judgement of answers against it."""
