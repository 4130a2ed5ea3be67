"""Entry point of `python -m constructor`, which runs the program `constructor`."""

import sys

from constructor.program.cli import main

sys.exit(main())
