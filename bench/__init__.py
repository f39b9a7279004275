"""How fast the program is, beside comparable programs: `make bench` or `python -m bench [SECTION …]`."""
