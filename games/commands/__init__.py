"""The commands of `python -m games`, one module each: `configure(parser)` and `run(arguments) -> int`."""
