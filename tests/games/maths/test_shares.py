"""Work in shares: every share is done once, and what fails in one of them is not lost."""

import pytest

from games.maths.enumerations import SHARES, in_shares


def test_every_share_is_done_once_and_in_order():
    assert in_shares(lambda share: list(range(share, 7, SHARES))) == [[0, 2, 4, 6], [1, 3, 5]]


@pytest.mark.parametrize("failing", range(SHARES))
def test_failure_of_a_share_is_raised(failing):
    with pytest.raises(ZeroDivisionError):
        in_shares(lambda share: 1 / (share - failing))
