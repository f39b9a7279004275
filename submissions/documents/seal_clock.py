"""Documents are sealed only while the clock of the machine is correct, by the clock of the database.

With a wrong clock the times of a seal would be wrong, and a seal from before its certificate was valid never verifies.
The timestamps of a seal come from the timestamp authority, but the validation data and the verification follow the
clock of this machine.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from submissions.jobs import clock
from submissions.jobs.leases import LeaseLost, TryLater

MOST_DIFFERENCE = timedelta(seconds=10)  # between the clock of this machine and the database's
PAUSE = timedelta(seconds=5)  # another machine may take the job, and a clock is soon corrected


@contextmanager
def correct_clock() -> Iterator[None]:
    """Check the clock before and after the block. Raises `TryLater` if it is wrong, also in place of an error that the
    block raised (but not of `LeaseLost`): nothing is stored, and the attempt does not count.
    """
    _require_correct()
    try:
        yield
    except LeaseLost:
        raise
    except Exception as error:
        _require_correct(error)
        raise
    _require_correct()


def _require_correct(error: Exception | None = None) -> None:
    difference = clock.difference()
    if abs(difference) > MOST_DIFFERENCE:
        raise TryLater(
            f"The clock of this machine is {difference_words(difference)}; it seals nothing.", PAUSE
        ) from error


def difference_words(difference: timedelta) -> str:
    """ "3,600 seconds ahead of the database's", "the same as the database's"."""
    if abs(difference) < timedelta(seconds=1):
        return "the same as the database's"
    side = "ahead of" if difference > clock.ZERO else "behind"
    return f"{abs(difference).total_seconds():,.0f} seconds {side} the database's"
