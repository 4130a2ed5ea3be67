"""`python -m lcr` is `lcr`."""

import sys

from tabletop_start import lcr

sys.exit(lcr())
