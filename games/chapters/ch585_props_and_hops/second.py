"""The second laboratory's table of Props & Hops, entered from the text a second time."""

from games.second.dice import TwoDiceTable

TABLE = TwoDiceTable(
    double="double",  # § 585.2(d)
    two_faces="any_number",  # § 585.2(e)
    any_double="any_doubles",  # § 585.2(f)(4)
    totals={
        "field": {"2 or 12 is rolled": (2, 12), "3, 4, 9, 10 or 11 is rolled": (3, 4, 9, 10, 11)},  # § 585.2(f)(1)
        "any_craps": {"Any Craps Wager": (2, 3, 12)},  # § 585.2(f)(2)
        "any_seven": {"Any Seven Wager": (7,)},  # § 585.2(f)(3)
    },
)
