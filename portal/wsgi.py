"""The web server's entrance. In service it refuses to serve on what is meant for a demonstration."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
application = get_wsgi_application()

from portal.checks import require_service_settings  # noqa: E402  the settings are there only now

require_service_settings()
