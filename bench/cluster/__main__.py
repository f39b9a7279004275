"""`python -m bench.cluster [--brisk]`, beside the servers of `setup/services.py`."""

import sys

from bench.cluster import main

sys.exit(main(sys.argv[1:]))
