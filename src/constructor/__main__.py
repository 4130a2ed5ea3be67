"""`python -m constructor` is `constructor`."""

import sys

from tabletop_start import constructor

sys.exit(constructor())
