"""Where a chapter says what a round of blackjack does, without the chapter's number: ".7(e)(1)"."""

from dataclasses import dataclass

from games.maths.blackjack import hands


@dataclass(frozen=True, slots=True, kw_only=True)
class Insurance:
    """The Insurance Wager."""

    made: str
    won: str
    lost: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """The required wager against the dealer's hand."""

    won: str
    tied: str
    lost: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sections:
    """The procedure, step by step; "" for what a game does not have."""

    first_card: str
    second_card: str
    up_card: str
    hole_card: str
    reader: str
    insurance: Insurance
    blackjack: str
    split_card: str  # the second card of a split hand
    turns: str  # the hole card
    dealer_draws: str
    third_card: str = ""  # of the dealer; "" = as any card that the dealer draws
    settled: Settlement
    additional: str = ""  # fixed payouts for suited sevens, in addition to the paytable's odds
    # what the player decides, or what ends a hand
    stand: str
    hit: str
    double: str
    split: str
    surrender: str
    free_double: str = ""
    rescue: str = ""
    second_chance: str = ""
    attack: str = ""
    winning_cards: str = ""

    def decision(self, what: int) -> str:
        """Of a decision of `hands`; of anything else, that of drawing: with 21 or more no card may be drawn."""
        return {
            hands.STAND: self.stand,
            hands.DOUBLE: self.double,
            hands.SPLIT: self.split,
            hands.SURRENDER: self.surrender,
            hands.FREE_DOUBLE: self.free_double,
            hands.RESCUE: self.rescue,
            hands.SECOND_CHANCE: self.second_chance,
        }.get(what, self.hit)
