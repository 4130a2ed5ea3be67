"""Upriver with its own page: tabletop serve examples/canoes.py."""

from dataclasses import replace
from pathlib import Path

from upriver import PLUGIN as UPRIVER

PLUGIN = replace(UPRIVER, page=Path(__file__).with_name("canoes_page"))
