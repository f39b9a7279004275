"""The second laboratory's table of High Roll Dice, entered from the text a second time."""

from games.second.dice import TenDiceTable

TABLE = TenDiceTable(
    ranking=(2, 3, 4, 5, 6, 1),  # § 593.2(d)
    face="pip_street",  # § 593.2(e)(1)
    matches=("like_kind", "millionaire_row"),  # § 593.2(e)(2), (4)
    after_again="extra_roll",  # § 593.4(g), (h)
    on_every_row="every circle, two to eight",
    amounts={"millionaire_row": "millionaire_row_bet"},  # reading `millionaire-fixed-prizes`
)
