"""`python -m lcr` is `lcr`."""

import sys

from lcr.program.cli import main

sys.exit(main())
