"""Two own cards with the row and with the column of a cross of five cards: three bets or a fold."""
