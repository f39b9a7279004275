"""The regulations as data, and their mathematics. No Django, no clock, no global random."""
