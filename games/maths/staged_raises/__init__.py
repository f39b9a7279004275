"""One's own cards with community cards, and raises by stages against a paytable or the dealer: the games of several
chapters, each with modules of its own. A street game is one whose community cards are turned one by one.
"""
