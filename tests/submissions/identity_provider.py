"""The OpenID Connect provider that tests start on this machine: `oidc-provider-mock`, a real one over HTTP.

It imports a part of Authlib that is deprecated. Authlib shows these warnings in spite of any filter that was set before
Authlib was imported. The portal itself does not use Authlib.
"""

from __future__ import annotations

import warnings

from authlib.deprecate import AuthlibDeprecationWarning

with warnings.catch_warnings():
    warnings.simplefilter("ignore", AuthlibDeprecationWarning)
    from oidc_provider_mock import User, run_server_in_thread

# What the provider calls when it answers: a method that Authlib deprecates.
IGNORE_ITS_WARNINGS = "ignore:get_jwt_config:DeprecationWarning"

__all__ = ["IGNORE_ITS_WARNINGS", "User", "run_server_in_thread"]
