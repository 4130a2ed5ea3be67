"""Texts of actions that are refused or that the rules could not apply."""

from __future__ import annotations

from sorcery.cards.errors import ActionAborted
from tabletop import ContractError
from tabletop.terminal import with_place


def reason_of(error: ContractError) -> str:
    """Return why an action could not be applied. If a card has failed, add the file and line."""
    cause = error.__cause__
    return str(cause) if isinstance(cause, ActionAborted) else with_place(error)


def full_sentence(text: str) -> str:
    """Return `text` with a capital letter and a full stop."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "?", "!")) else f"{text}."
