"""Measurement of the program's speed beside comparable programs: `make bench` or `python -m bench [SECTION …]`."""
