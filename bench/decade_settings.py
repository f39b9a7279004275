"""The portal's settings with the plain views, and no limits: all people of the measurement share an address."""

from portal.settings import *  # noqa: F403

ROOT_URLCONF = "bench.plain_views"
