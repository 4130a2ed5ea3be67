"""`python -m sorcery` is `sorcery`."""

import sys

from tabletop_start import sorcery

sys.exit(sorcery())
