"""Run the program `sorcery` with `python -m sorcery`."""

import sys

from sorcery.program.cli import main

sys.exit(main())
