"""Settings, addresses, processes and sign-in: how the portal is run. Not what it is about."""
