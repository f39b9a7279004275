#!/usr/bin/env python
"""Django's command line, with the portal's settings."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as problem:  # a setting, which the sentence names: no traceback helps
        sys.exit(f"The portal cannot start. {problem}")
