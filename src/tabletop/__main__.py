"""`python -m tabletop` is `tabletop`."""

import sys

from tabletop_start import tabletop

sys.exit(tabletop())
