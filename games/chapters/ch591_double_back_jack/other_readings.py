"""The required wager of Double Back Jack under the other reading of a payout note: each split ace receives one card."""

from dataclasses import replace

from games.chapters.ch591_double_back_jack.play import GAME
from games.other_readings import by_other_play

ONE_CARD = replace(GAME, rules=replace(GAME.rules, one_card_aces=True))

OTHER_READINGS = {"split-aces": by_other_play(GAME.wager, GAME, ONE_CARD)}
