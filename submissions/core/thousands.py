"""Commas that divide thousands, as people write in Pennsylvania: 50,000. Any other comma may be a decimal sign."""

import re

WITH_THOUSANDS = re.compile(r"-?[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]*)?", re.ASCII)
