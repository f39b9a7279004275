"""The commands of `python -m games`: `add_NAME(parser)` adds the arguments, and sets what runs them."""


class BadUse(Exception):
    """The command cannot start: what is wrong with what it was given, in one line."""
