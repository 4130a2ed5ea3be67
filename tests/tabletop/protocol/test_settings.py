"""The settings of a table: limits, defaults, and one declaration for all places that use them."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

import tabletop
from tabletop.protocol import TableSettings

SOURCE = Path(tabletop.__file__).parent


@pytest.mark.parametrize(
    ("settings", "timeout"),
    [
        (TableSettings(), 300),
        (TableSettings(clock=60), None),
        (TableSettings(move_time=60), None),
        (TableSettings(idle_timeout=None), None),
        (TableSettings(clock=60, idle_timeout=20), 20),
    ],
)
def test_the_default_of_the_idle_timeout_depends_on_clocks(
    settings: TableSettings, timeout: float | None
) -> None:
    assert settings.resolved().idle_timeout == timeout


@pytest.mark.parametrize("given", [{"clock": 60, "move_time": 30}, {"increment": 5}])
def test_settings_that_exclude_each_other_are_refused(given: dict[str, float]) -> None:
    with pytest.raises(msgspec.ValidationError, match=f"^{list(given)[-1]}: "):
        msgspec.convert(given, TableSettings)


@pytest.mark.parametrize(
    "given", [{"clock": 0}, {"increment": -1}, {"move_time": 10**8}, {"idle_timeout": 9}]
)
def test_a_time_outside_its_limits_is_refused_with_the_name_of_the_setting(
    given: dict[str, float],
) -> None:
    [name] = given
    with pytest.raises(msgspec.ValidationError, match=rf"\$\.{name}\b"):
        msgspec.json.decode(msgspec.json.encode(given), type=TableSettings)


@pytest.mark.parametrize("name", TableSettings.__struct_fields__)
def test_a_setting_is_named_in_at_most_four_files(name: str) -> None:
    """They are its declaration, the rule that uses it, and the controls that set and show it."""
    named = re.compile(rf"settings\??\.{name}\b|data-setting=\"{name}\"")
    files = [
        path
        for path in SOURCE.rglob("*.*")
        if path.suffix in {".py", ".js", ".html"}
        if named.search(path.read_text("utf-8"))
    ]
    assert 1 <= len(files) <= 3, "besides its declaration"
