"""A chapter's names for the parts of a game of two hands, and their sections: one record for each kind.

A field of type `str` without a comment is a section. Not here: which wagers there are, and their paytables, which
the chapter's data say.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SevenCardWording:
    """The wording of a game in which the dealer's seven cards are set and shown before the player's are set."""

    dealt: Mapping[str, str]  # option → section; the first where none is answered
    dealer_sets: str
    player_sets: str
    ends: Mapping[int, str]  # `seven_rounds.LOSES` … → section
    tied_hand: str  # the dealer's hand with which the wager ties: ace high
    ace_high_rows: tuple[str, str, str]  # of ace-high paytables: both, only the dealer with joker and without
    loses: Mapping[str, str]  # optional wager → section
    ranking: str
    best_hand: str  # section: the first row that the cards fill is paid
    wild_joker: str
    readings: Mapping[str, str]  # row of a paytable → the reading that decides which hands it pays


@dataclass(frozen=True, slots=True, kw_only=True)
class SixCardWording:
    """The wording of a game of six cards a side; the dealer sets by a house way, and the player may double."""

    dealt: Mapping[str, str]  # option → section; the first where none is answered
    dealer_sets: str
    player_sets: str
    on_request: str  # section: the dealer tells the player the house way
    player_joker: str  # section: what the joker is as a player's low hand
    ends: Mapping[int, str]  # `six_cards.WIN` … → section
    doubles: Mapping[int, str]  # `six_rounds.DOUBLE_WIN` … → section
    loses: Mapping[str, str]  # wager on the player's own cards → section
    reset: str  # section: the least reset amount of the progressive
