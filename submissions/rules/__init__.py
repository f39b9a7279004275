"""The rules of a chapter as they are on one day, with the rulemakings that the Board has published."""
