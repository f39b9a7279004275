"""The table list of each casino: number, pit, game, open or closed, from a day on; and the status of a table."""
