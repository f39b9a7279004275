"""Makes what is read, in the database that the environment names; prints the credential last."""

import django

django.setup()

from bench.api.world import build  # noqa: E402  models are there only now

print(f"\n{build()}")
