"""Write a match as a self-contained HTML page with its pictures and its log.

The page shows the match as a player or a spectator saw it. It needs no other files, so it can be
opened from disk, sent by email, or printed.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections import deque
from collections.abc import Mapping, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final, Protocol

from tabletop.display.picture import Clickable, Picture, Scene, clickables
from tabletop.display.svg import LAST, STYLE, TOKENS
from tabletop.display.text_view import TextView
from tabletop.match.match import AnyMatch
from tabletop.rules.events import ALL, Event, MatchEnded, Watcher
from tabletop.wording import join_words

_PIECES: Final = re.compile(r"(?=<g class=\"tt-part|<text )|(?<=</g>)(?=<)")
"""Where to split pictures into fragments.

Most fragments are the same in consecutive pictures, so each is stored only once.
"""

MAX_EVENTS: Final = 100  # maximum number of recent events that a picture receives

_BUTTONS: Final = (
    ("first", "M22 5v14l-8-7zM14 5v14l-8-7zM2 5h3v14H2z", "first step"),
    ("back", "M19 5v14l-9-7zM5 5h3v14H5z", "previous step"),
    ("play", "M6 4v16l14-8z", "play"),
    ("next", "M5 5v14l9-7zM16 5h3v14h-3z", "next step"),
    ("last", "M2 5v14l8-7zM10 5v14l8-7zM19 5h3v14h-3z", "last step"),
)


NO_ANSWERS: Final[Mapping[int, str]] = MappingProxyType({})


class Steps(Protocol):
    """A match that is replayed step by step from its beginning, such as `tabletop.records.Stepper`.

    Attributes:
        match: The match after the steps replayed so far.
        at: The number of steps replayed so far.
    """

    match: AnyMatch
    at: int

    @property
    def steps(self) -> int:
        """The total number of steps."""

    def forward(self) -> None:
        """Replay the next step."""


class MatchSteps:
    """A replay of a copy of a match from its beginning, one action per step."""

    def __init__(self, match: AnyMatch) -> None:
        self.at: int = 0
        self.steps: int = match.ply
        self.match: AnyMatch = match.clone()
        self.match.undo(match.ply)

    def forward(self) -> None:
        """Replay the next action."""
        self.match.redo()
        self.at += 1


def picture_after(
    stepper: Steps,
    steps: int,
    picture: Picture[Any],
    text: TextView[Any],
    watcher: Watcher = None,
    *,
    narrow: bool = False,
    live: bool = False,
) -> str:
    """Draw the picture of a replay after a number of steps.

    Args:
        stepper: The replay, at its beginning.
        watcher: A seat, None for a spectator, or `tabletop.ALL` to hide nothing.
        narrow: Whether to draw the picture for a phone.
        live: Whether to highlight parts that the seat `watcher` could click.

    Raises:
        RecordMismatch: A step cannot be replayed.
    """
    observer = _Observer(stepper.match, picture, text, watcher)
    while stepper.at < steps:
        observer.recent.clear()
        stepper.forward()
    return observer.draw(narrow=narrow, live=live)


class _Observer:
    """Observes a match as one viewer, and draws it with the events that this viewer receives."""

    def __init__(
        self, match: AnyMatch, picture: Picture[Any], text: TextView[Any], watcher: Watcher
    ) -> None:
        self.recent: list[Event] = []
        self._told: deque[Event] = deque(maxlen=MAX_EVENTS)
        self._match, self._picture, self._text, self._watcher = match, picture, text, watcher
        match.observe(self._note, seat=watcher)

    def draw(self, *, narrow: bool = False, bare: bool = False, live: bool = False) -> str:
        match, seat = self._match, self._watcher
        view = match.view(seat) if seat is None or isinstance(seat, int) else match.state
        choices: Sequence[Clickable] = ()
        if live and isinstance(seat, int) and seat in match.to_act:
            about = view, match.legal_actions(seat), match.names, seat, self._text
            choices = clickables(self._picture, *about)
        scene = Scene(
            *(match.names, seat, match.to_act, choices),
            narrow=narrow,
            bare=bare,
            recent=tuple(self.recent),
            told=tuple(self._told),
            outcome=match.outcome,
        )
        return self._picture.draw(view, self._picture.marked(view, scene))

    def _note(self, event: Event) -> None:
        self.recent.append(event)
        self._told.append(event)


def replay_page(
    stepper: Steps,
    picture: Picture[Any],
    text: TextView[Any],
    watcher: Watcher = None,
    answers: Mapping[int, str] = NO_ANSWERS,
) -> str:
    """Write the HTML page of a replay.

    Args:
        stepper: The replay, at its beginning.
        watcher: A seat, None for a spectator, or `tabletop.ALL` to hide nothing.
        answers: The answers of language models, by the number of the action, starting at 1.

    Raises:
        RecordMismatch: A step cannot be replayed.
    """
    match, numbers = stepper.match, dict[str, int]()
    observer = _Observer(match, picture, text, watcher)

    # Each distinct fragment is written once, which makes pages much smaller.
    def number_pieces(*, narrow: bool) -> list[int]:
        pieces = _PIECES.split(observer.draw(bare=True, narrow=narrow))
        return [numbers.setdefault(piece, len(numbers)) for piece in pieces if piece]

    steps: list[dict[str, Any]] = []
    ply = 0
    while True:
        played = (event for event in observer.recent if not isinstance(event, MatchEnded))
        lines = [text.event(event, match.names, watcher) for event in played]
        if match.outcome is not None and stepper.at == stepper.steps:
            lines.append(text.outcome(match.outcome, match.names))
        wide, narrow = number_pieces(narrow=False), number_pieces(narrow=True)
        step = {"wide": wide, "narrow": narrow, "lines": [*filter(None, lines)]}
        # Only with the action that it led to, not where the action is undone or redone.
        if match.ply in answers and match.ply > ply:
            step["answer"] = answers[match.ply]
        ply = match.ply
        steps.append(step)
        if stepper.at >= stepper.steps:
            break
        observer.recent.clear()
        stepper.forward()
    data = json.dumps({"pieces": list(numbers), "steps": steps}, ensure_ascii=False)
    if watcher is None:
        perspective = "as spectators saw it"
    elif watcher == ALL:
        perspective = "with everything revealed"
    else:
        perspective = f"as {match.names[watcher]} saw it"
    about = f"{join_words(match.names, 'and')}; {perspective}. Seed: {match.seed.text}"
    # Escape "<", because "</script>" in the data would end the script element.
    data = data.replace("<", "\\u003c")
    style = TOKENS + LAST + STYLE + picture.style
    return _page(match.game.title or match.game.name, about, data, style)


def _page(title: str, about: str, data: str, style: str) -> str:
    folder = files("tabletop.display") / "data"
    script = (folder / "replay.js").read_text("utf-8")
    sheet = style + (folder / "replay.css").read_text("utf-8")
    policy = (
        f"default-src 'none'; script-src {_hash_for_policy(script)};"
        f" style-src {_hash_for_policy(sheet)}; base-uri 'none'; form-action 'none'"
    )
    buttons = "".join(
        f'<button type="button" id="{name}" aria-label="{label}" title="{label}">'
        f'<svg viewBox="0 0 24 24" aria-hidden="true"><path d="{shape}"/></svg></button>'
        for name, shape, label in _BUTTONS
    )
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{sheet}</style>
<header><h1>{escape(title)}</h1><p>{escape(about)}</p></header>
<main>
<section id="stage" aria-label="The table"></section>
<aside tabindex="0" aria-label="What happened"><h2>What happened</h2><ol id="lines"></ol></aside>
</main>
<nav aria-label="Steps">{buttons}
<input type="range" id="slider" min="0" value="0" aria-label="Step">
<output id="place"></output></nav>
<p id="said" role="status" class="tt-unseen"></p>
<script type="application/json" id="replay">{data}</script>
<script type="module">{script}</script>
</html>
"""


def _hash_for_policy(text: str) -> str:
    """Return the hash that allows a script or style in a Content-Security-Policy."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
