"""`python -m constructor` is `constructor`."""

import sys

from constructor.program.cli import main

sys.exit(main())
