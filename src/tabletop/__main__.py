"""Run `python -m tabletop` as `tabletop`."""

import sys

from tabletop.cli import main

sys.exit(main())
