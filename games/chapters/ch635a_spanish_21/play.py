"""Spanish 21: decks without 10s, odds for 21s of many cards, a player's 21 that never loses, the rescue of a double."""

from games.maths.blackjack.game import Game
from games.maths.blackjack.rules import BonusRows, Insurance, Rules, Sections, Settlement
from games.maths.blackjack.side_wagers import MATCH, SideWager
from games.play import Play

SUITED = "Three 7s of the same suit, dealer's exposed card a 7"
THREE = "Three cards consisting of"
BONUSES = BonusRows(  # § 635a.12(b)
    (f"{THREE} 6, 7 and 8 of mixed suits", f"{THREE} 6, 7 and 8 of the same suit", f"{THREE} the 6, 7 and 8 of spades"),
    (f"{THREE} three 7s of mixed suits", f"{THREE} three 7s of the same suit", f"{THREE} three 7s of spades"),
    *("Five cards totaling 21", "Six cards totaling 21", "Seven or more cards totaling 21"),
    additional=(  # § 635a.12(c)
        (5, f"{SUITED}, original wager $5 or more but less than $25: in addition"),
        (25, f"{SUITED}, original wager $25 or more: in addition"),
    ),
)
MATCHES = ("Each matching card of the same suit", "Each matching card of a different suit")
GAME = Game(
    wager="spanish_21",
    decks=6,  # § 635a.3(a): six or eight
    decks_of_paytable={"Six decks": 6, "Eight decks": 8},  # § 635a.12(e)
    additional_splits="additional_splits",
    rules=Rules(
        tens=3,
        hands=5,  # § 635a.11(c): as answered
        blackjack_row="Blackjack",  # § 635a.12(a)
        blackjack_beats_blackjack=True,  # § 635a.7(n)(3)
        beats_21=True,  # § 635a.7(n)(4)
        bonuses=BONUSES,
        rescue=True,  # § 635a.10(d)
    ),
    side=SideWager("match_the_dealer", MATCH, ".7(f)", MATCHES),
    sections=Sections(
        first_card=".7(e)(1)",
        up_card=".7(e)(2)",
        second_card=".7(e)(3)",
        hole_card=".7(e)(4)",
        insurance=Insurance(made=".8(a)", won=".8(c)", lost=".8(d)"),
        reader=".7(g)",
        blackjack=".7(h)(1)",
        stand=".7(h)(2)",
        hit=".7(j)",
        double=".10(a)",
        rescue=".10(d)",
        split=".11(a)",
        split_card=".11(b)",
        surrender=".9(a)",
        turns=".7(k)",
        dealer_draws=".7(l)",
        settled=Settlement(won=".7(n)", tied=".7(o)", lost=".7(o)"),
        additional=".12(c)",
    ),
)

PLAY = Play(game=GAME, block_rounds=10_000_000)
