"""Five cards, raise or fold against the dealer's hidden hand.

All five play: DJ Wild Stud Poker (chapter 687a), in `exact`, `hand_counts` and `rounds`. The best four play: Four
Card Prime (682a) and Crazy 4 Poker (657a), in `four_…` with `orbits`, `six_cards` and `sixth_card`.
"""
