"""Five cards each, raise or fold against the dealer's hidden hand: DJ Wild Stud Poker (chapter 687a)."""
