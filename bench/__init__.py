"""Measures the speed of the program beside comparable programs: `make bench` or `python -m bench [SECTION …]`."""
