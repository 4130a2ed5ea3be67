"""`python -m constructor` is `constructor`."""

import sys

from constructor.cli import main

sys.exit(main())
