"""Numbers with their noun, for sentences of pages and papers."""


def counted(count: int, noun: str) -> str:
    """ "1 line", "3,000 lines"; for nouns whose plural adds an s."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
