"""Small numbers as sentences say them."""

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
MOST = len(NUMBERS) - 1


def antes(number: int) -> str:
    """ "one Ante", "three Antes"; up to `MOST`."""
    return f"{NUMBERS[number]} Ante{'' if number == 1 else 's'}"


def times(number: int) -> str:
    """ "twice ", "three times "; nothing for one."""
    return {1: "", 2: "twice "}.get(number, f"{NUMBERS[number]} times ")
