"""Entry point of `python -m lcr`, which runs the program `lcr`."""

import sys

from lcr.program.cli import main

sys.exit(main())
