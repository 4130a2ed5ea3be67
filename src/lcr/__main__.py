"""`python -m lcr` is `lcr`."""

import sys

from lcr.cli import main

sys.exit(main())
