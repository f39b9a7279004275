"""The portal's settings with the trivial view, and no limits: all people of the measurement share an address."""

from portal.settings import *  # noqa: F403

ROOT_URLCONF = "bench.decade.trivial"
