"""The commands of `python -m games`, one module each: `configure(parser)` and `run(arguments) -> int`."""


class BadUse(Exception):
    """The command cannot start: what is wrong with what it was given, in one line."""
