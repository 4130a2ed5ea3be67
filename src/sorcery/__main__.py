"""`python -m sorcery` is `sorcery`."""

import sys

from sorcery.cli import main

sys.exit(main())
