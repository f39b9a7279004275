"""The second laboratory's table of High Card Flush, entered from the text a second time."""

from decimal import Decimal

from games.second.longest_flush import LongestFlushTable

TABLE = LongestFlushTable(
    raises=(1, 1, 1, 2, 3, 3),  # § 678a.11(b)
    least_size=3,  # § 678a.11(d)(1)
    least_high="9",
    bet=Decimal(1),  # printed nowhere: of a dollar, as the exact figures have it
    reset=Decimal(30_000),  # § 678a.12(d)(3)
)
