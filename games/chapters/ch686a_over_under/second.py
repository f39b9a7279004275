"""The second laboratory's table of Over/Under, entered from the text a second time."""

from games.second.first_cards import FirstCardsTable

TABLE = FirstCardsTable(
    decks=6,  # § 686a.3(a)
    points=(2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11),  # § 686a.3(d)
    over="Over 23",  # § 686a.7(g)(1)
    over_from=24,
    under="Under 18",  # § 686a.7(g)(2)
    under_to=17,
    lost_totals="13 to 26",  # § 686a.7(k)
)
