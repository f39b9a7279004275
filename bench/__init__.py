"""How fast the program is, beside its peers: `make bench` or `python -m bench [SECTION …]`."""
