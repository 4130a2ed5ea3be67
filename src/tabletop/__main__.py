"""`python -m tabletop` is `tabletop`."""

import sys

from tabletop.cli import main

sys.exit(main())
