"""The JSON structs of OpenSpiel 2.0, for every game.

A struct is created from a dict or from JSON text. Its fields are attributes:

    observation = state.to_observation_struct(0)
    observation.current_player, observation.to_json()

`pyspiel` cannot create its own structs in Python, so these classes have the same methods instead of
deriving from them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from tabletop.protocol.data import as_data
from tabletop.states.codec import to_json


class Struct(SimpleNamespace):
    """Named values that can be written as JSON.

    Args:
        given: The values, as a mapping or as a JSON object.

    Raises:
        ValueError: The text is not a JSON object, or the names are not those of the struct.
    """

    fields: tuple[str, ...] = ()

    def __init__(self, given: str | Mapping[str, Any]) -> None:
        values = json.loads(given if isinstance(given, str) else to_json(dict(given)))
        if not isinstance(values, dict) or {*values} != {*self.fields}:
            expected = ", ".join(self.fields)
            raise ValueError(f"{type(self).__name__} needs an object with the fields {expected}")
        super().__init__(**values)

    def to_dict(self) -> dict[str, Any]:
        """Return the values by name."""
        return dict(vars(self))

    def to_json(self) -> str:
        """Return the values as a JSON object with sorted keys."""
        return to_json(vars(self)).decode()


class StateStruct(Struct):
    """A position with all hidden information.

    Attributes:
        current_player: The player to act, as in `State.current_player`.
        position: The state of the game.
    """

    fields: tuple[str, ...] = ("current_player", "position")


class ObservationStruct(Struct):
    """A position as one player sees it.

    Attributes:
        current_player: The player to act, as in `State.current_player`.
    """

    fields: tuple[str, ...] = ("observing_player", "current_player", "position")


class ActionStruct(Struct):
    """An action or the outcome of a chance node.

    Attributes:
        type: The name of the action's class, or `draw` for a chance outcome.
        value: The fields of the action, its text or number, or the number of the outcome.
    """

    fields: tuple[str, ...] = ("type", "value")


def action_struct(action: object) -> ActionStruct:
    """Return the struct of an action of the game."""
    data = as_data(action)
    return ActionStruct({"type": data.type, "value": data.value})
