"""A recorded match as one page that needs nothing else: its pictures, and what happened.

The page steps through the match with keys, a slider or by itself, as one seat saw it, or as
spectators did. It can be opened from a disk, sent to a friend, and printed.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, Protocol

from tabletop.events import ALL, Event, MatchEnded, Watcher
from tabletop.match import AnyMatch
from tabletop.picture import Picture, draw_match
from tabletop.records.entries import Header
from tabletop.records.record import remake
from tabletop.records.stepping import Stepper
from tabletop.svg import STYLE, TOKENS
from tabletop.text import TextView

if TYPE_CHECKING:
    from typing import Self

_PIECES: Final = re.compile(r"(?=<g class=\"tt-part|<text )|(?<=</g>)(?=<)")
"""Where pictures are cut into pieces: most are the same from one picture to the next."""

TOLD: Final = 100
"""How many events before a picture it may show something of."""

_BUTTONS: Final = (
    ("first", "⏮", "to the beginning"),
    ("back", "◀", "a step back"),
    ("play", "▶", "play"),
    ("next", "▶|", "a step on"),
    ("last", "⏭", "to the end"),
)


@dataclass(frozen=True, slots=True)
class Frame:
    """A step of a film.

    Attributes:
        wide: the picture for a wide screen.
        narrow: the picture for a phone.
        lines: what has happened since the last one, in words.
    """

    wide: str
    narrow: str
    lines: tuple[str, ...]


class Steps(Protocol):
    """A match that is played again step by step: a `Stepper` of a record, or `Replayed`."""

    match: AnyMatch
    at: int

    @property
    def steps(self) -> int:
        """How many steps there are."""

    def forward(self) -> None:
        """Do the next step."""


class Replayed:
    """A match that is played again from its beginning, one action a step.

    Args:
        match: how it went; it is not touched.

    Attributes:
        match: as it was at this step.
        at: how many steps have been done.
    """

    def __init__(self, match: AnyMatch) -> None:
        self._actions = match.actions
        self.match = remake(match.game, Header.of(match))
        self.at = 0

    @property
    def steps(self) -> int:
        """How many steps there are."""
        return len(self._actions)

    def forward(self) -> None:
        """Play the next action."""
        self.match.play(self._actions[self.at])
        self.at += 1


def frames(
    stepper: Steps, picture: Picture[Any], text: TextView[Any], watcher: Watcher = None
) -> Iterator[Frame]:
    """The steps of a match, from its beginning.

    Args:
        stepper: the match, where no step has been done.
        picture: how the game looks.
        text: how it reads.
        watcher: who looks: a seat, None for a spectator, `tabletop.events.ALL` for somebody from
            whom nothing is hidden.

    Raises:
        RecordMismatch: a step does not replay.
    """
    match, lines = stepper.match, list[str]()
    with _Onlooker(match, picture, watcher) as onlooker:
        while True:
            wide, narrow = onlooker.drawn(bare=True), onlooker.drawn(bare=True, narrow=True)
            yield Frame(wide, narrow, tuple(lines))
            if stepper.at >= stepper.steps:
                return
            onlooker.recent.clear()
            stepper.forward()
            played = (it for it in onlooker.recent if not isinstance(it, MatchEnded))
            lines = [text.event(event, match.names, watcher) for event in played]
            ended = match.outcome if stepper.at == stepper.steps else None
            if ended is not None:
                lines.append(text.outcome(ended, match.names))
            lines = list(filter(None, lines))


def picture_after(
    stepper: Stepper,
    steps: int,
    picture: Picture[Any],
    watcher: Watcher = None,
    *,
    narrow: bool = False,
) -> str:
    """The picture of a match after some of its steps, with what has happened until then.

    Args:
        stepper: the record, where no step has been done.
        steps: how many are done.
        picture: how the game looks.
        watcher: who looks, as `frames` has it.
        narrow: whether it is for a screen as narrow as a phone's.

    Raises:
        RecordMismatch: a step does not replay.
    """
    with _Onlooker(stepper.match, picture, watcher) as onlooker:
        while stepper.at < steps:
            onlooker.recent.clear()
            stepper.forward()
        return onlooker.drawn(narrow=narrow)


class _Onlooker:
    """Somebody who watches a match, and remembers what they could observe.

    Attributes:
        recent: the events that they could observe since it was cleared.
    """

    def __init__(self, match: AnyMatch, picture: Picture[Any], watcher: Watcher) -> None:
        self.recent: list[Event] = []
        self._told: deque[Event] = deque(maxlen=TOLD)
        self._match, self._picture, self._watcher = match, picture, watcher
        self._stop = match.observe(self._note, seat=watcher)

    def drawn(self, *, narrow: bool = False, bare: bool = False) -> str:
        """What they see now."""
        return draw_match(
            *(self._match, self._picture, self._watcher),
            narrow=narrow,
            bare=bare,
            recent=tuple(self.recent),
            told=tuple(self._told),
        )

    def _note(self, event: Event) -> None:
        self.recent.append(event)
        self._told.append(event)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()


def film(shown: Sequence[Frame], *, title: str, about: str = "", style: str = "") -> str:
    """The page.

    Args:
        shown: the steps, one at least.
        title: what was played.
        about: more about it: for whom it is shown, the seed.
        style: the CSS of the game's picture.
    """
    numbers: dict[str, int] = {}

    # Each piece is written once, however many pictures it is in: films get far smaller.
    def numbered(picture: str) -> list[int]:
        return [numbers.setdefault(it, len(numbers)) for it in _PIECES.split(picture) if it]

    steps = [
        {"wide": numbered(it.wide), "narrow": numbered(it.narrow), "lines": it.lines}
        for it in shown
    ]
    data = json.dumps({"pieces": list(numbers), "steps": steps}, ensure_ascii=False)
    # A text in a script ends at the first "<": none is left in it.
    return _page(title, about, data.replace("<", "\\u003c"), TOKENS + STYLE + style)


def _page(title: str, about: str, data: str, style: str) -> str:
    folder = files("tabletop") / "data"
    script = (folder / "film.js").read_text("utf-8")
    sheet = style + (folder / "film.css").read_text("utf-8")
    policy = (
        f"default-src 'none'; script-src {_hashed(script)}; style-src {_hashed(sheet)};"
        " base-uri 'none'; form-action 'none'"
    )
    buttons = "".join(
        f'<button type="button" id="{name}" aria-label="{label}" title="{label}">{sign}</button>'
        for name, sign, label in _BUTTONS
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
<script type="application/json" id="film">{data}</script>
<script type="module">{script}</script>
</html>
"""


def _hashed(text: str) -> str:
    """The source that a content security policy allows: this text and nothing else."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def film_of(
    stepper: Steps, picture: Picture[Any], text: TextView[Any], watcher: Watcher = None
) -> str:
    """The page of a record, as `frames` and `film` make it.

    Raises:
        RecordMismatch: a step does not replay.
    """
    match = stepper.match
    shown = list(frames(stepper, picture, text, watcher))
    if watcher is None:
        eyes = "as spectators saw it"
    elif watcher == ALL:
        eyes = "with all that was hidden"
    else:
        eyes = f"as {match.names[watcher]} saw it"
    people = " and ".join(filter(None, (", ".join(match.names[:-1]), match.names[-1])))
    about = f"{people}; {eyes}. Seed: {match.seed.text}"
    return film(shown, title=match.game.title or match.game.name, about=about, style=picture.style)
