"""Hands for which two decisions are worth the same, in words."""


def on_equal_decisions(hands: int) -> str:
    """For the notes of an analysis: of equal decisions the larger wager is played."""
    if not hands:
        return "For no hand are two decisions worth the same."
    return f"For {hands:,} hands two decisions are worth the same; they are played for the larger wager."
