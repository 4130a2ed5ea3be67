"""`python -m sorcery` is `sorcery`."""

import sys

from sorcery.program.cli import main

sys.exit(main())
