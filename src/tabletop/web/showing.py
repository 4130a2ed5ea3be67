"""What a seat is shown of a match: the picture, what can be done, and how it ended.

All of it is made from what the place of the seat at the session may see and do, and from nothing
else.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from tabletop.drawing import TextPicture, picture_of
from tabletop.errors import RegistryError
from tabletop.events import Event
from tabletop.host.printable import printable, printable_names
from tabletop.match import AnyMatch
from tabletop.options import OptionValue
from tabletop.outcome import Seat
from tabletop.picture import Clickable, Picture, Scene, clickables
from tabletop.registry import Plugin
from tabletop.seeds import commitment
from tabletop.session import Place, Session
from tabletop.storage.again import command_to_play
from tabletop.svg import document, paragraph
from tabletop.web.messages import ChoiceTold, OverTold, StateTold
from tabletop.wording import listed

MOST_CHOICES: Final = 2000
"""So many legal actions are sent at most."""

SIT_DOWN: Final = "ready"
"""What the next of those who share a screen says, before it shows what only they may see."""

FAILED: Final = (
    "The rules of the game have failed here: take the last action back, or ask who runs the server"
)
"""What is said of a position that cannot be shown."""

_log = logging.getLogger("tabletop")


def picture_for(plugin: Plugin) -> Picture[Any]:
    """How a game looks; as its text where it has no picture that works."""
    try:
        return picture_of(plugin)
    except RegistryError as error:
        _log.error("%s; it is shown as text", error)
        return TextPicture(plugin.text)


def commitment_of(match: AnyMatch) -> str | None:
    """What may be told of the seed and the salt of a match before it is over; None without salt."""
    return None if match.salt is None else commitment(match.seed, match.salt)


@dataclass(frozen=True, slots=True)
class Look:
    """A look at a match.

    Attributes:
        session: the table.
        place: who looks: its place there.
        seat: for which of its seats; None for a spectator.
        picture: how the game looks.
        covered: a seat that is to decide, and whose person has not said that they have sat down.
        recent: what has happened since the last picture.
        told: that, and what came before it, as far as it is remembered.
        film: where the match can be watched again once it is over.
        next: the page of the table where the same people play again.
        line: the number of the last line of the log that led here.
        can_undo, can_redo: whether the place may do that, or ask the others for it.
        no_undo: why actions cannot be taken back; empty where nobody would wonder.
    """

    session: Session
    place: Place
    seat: Seat | None
    picture: Picture[Any]
    covered: Seat | None = None
    recent: Sequence[Event] = ()
    told: Sequence[Event] = ()
    film: str | None = None
    next: str | None = None
    line: int = 0
    can_undo: bool = False
    can_redo: bool = False
    no_undo: str = ""

    def state(self, *, narrow: bool) -> StateTold:
        """What is sent of it."""
        session, seat = self.session, self.seat
        match = session.match
        names = printable_names(match.names)
        view: Any = self.place.view(seat)
        asked = tuple(own for own in match.to_act if own in self.place.seats)
        choices, more = self._choices(asked, names)
        lit = [Clickable(it.words, it.label, it.path) for it in choices if it.seat == seat]
        scene = Scene(
            names,
            seat,
            to_act=match.to_act,
            choices=lit,
            narrow=narrow,
            live=True,
            bare=True,
            recent=self.recent,
            told=self.told,
            outcome=match.outcome,
        )
        commands = match.game.commands
        return StateTold(
            ply=match.ply,
            svg=self._drawn(view, scene),
            turn=match.to_act,
            asked=asked,
            prompt=self._prompt(asked, names),
            choices=choices,
            more=more,
            can_undo=self.can_undo,
            can_redo=self.can_redo,
            no_undo=self.no_undo,
            text=self._in_words(view, names),
            commands=() if commands is None else tuple(commands.help().splitlines()),
            over=self._over(names) if match.over else None,
            line=self.line,
        )

    def failed(self) -> StateTold:
        """What is sent of a position that the rules cannot show: how to come away from it."""
        match = self.session.match
        words = paragraph(20, 40, f"{FAILED}.", 18, (360, 90))
        return StateTold(
            ply=match.ply,
            svg=document(400, 140, words, label=FAILED, bare=True),
            turn=match.to_act,
            asked=(),
            prompt=FAILED,
            choices=(),
            more=0,
            can_undo=self.can_undo,
            can_redo=self.can_redo,
            no_undo=self.no_undo,
            text="",
            commands=(),
            over=None,
            line=self.line,
        )

    def _drawn(self, view: Any, scene: Scene) -> str:
        name = self.session.match.game.name
        try:
            drawn: object = self.picture.draw(view, scene)
            if isinstance(drawn, str):
                return drawn
            _log.error("%s cannot be drawn: draw returns %.60r, which is no text", name, drawn)
        except Exception:  # a match can be played without a picture
            _log.exception("%s cannot be drawn", name)
        try:
            return TextPicture(self.session.plugin.text).draw(view, scene)
        except Exception:
            _log.exception("%s cannot be put into words", name)
            return ""

    def _in_words(self, view: Any, names: Sequence[str]) -> str:
        try:
            return self.session.plugin.text.position(view, names, self.seat)
        except Exception:  # nor without words
            _log.exception("%s cannot be put into words", self.session.match.game.name)
            return ""

    def _choices(
        self, asked: Sequence[Seat], names: Sequence[str]
    ) -> tuple[tuple[ChoiceTold, ...], int]:
        """What can be done now, and how much more there is."""
        if self.covered is not None:
            label = f"I am {names[self.covered]}: show what I may see"
            return (ChoiceTold(SIT_DOWN, label, (), self.covered),), 0
        told: list[ChoiceTold] = []
        more = 0
        for seat in asked:
            actions = self.place.legal_actions(seat)
            room = MOST_CHOICES - len(told)
            more += max(0, len(actions) - room)
            told += self._choices_of(seat, actions[:room], names)
        return tuple(told), more

    def _choices_of(
        self, seat: Seat, actions: Sequence[Any], names: Sequence[str]
    ) -> list[ChoiceTold]:
        try:
            found = clickables(self.picture, self.place.view(seat), actions, names, seat)
        except Exception:
            _log.exception("%s cannot be clicked", self.session.match.game.name)
            found = tuple(Clickable(str(action), str(action)) for action in actions)
        return [ChoiceTold(it.words, printable(it.label), it.path, seat) for it in found]

    def _prompt(self, asked: Sequence[Seat], names: Sequence[str]) -> str:
        match = self.session.match
        if match.over:
            return "The match is over"
        if asked:
            return self._question(asked[0], names)
        return f"Waiting for {listed([names[seat] for seat in match.to_act], 'and')}"

    def _question(self, seat: Seat, names: Sequence[str]) -> str:
        """What a seat is asked by the game, and who is meant where several share a screen."""
        alone = len(self.place.seats) == 1
        if self.covered is None:
            try:
                asked = printable(self.session.plugin.text.asked(self.place.view(seat), seat))
            except Exception:
                _log.exception("%s has no question", self.session.match.game.name)
            else:
                if asked:
                    return asked if alone else f"{names[seat]}: {asked}"
        return "Your turn" if alone else f"{names[seat]}, it is your turn"

    def _over(self, names: Sequence[str]) -> OverTold:
        match, plugin = self.session.match, self.session.plugin
        outcome = match.outcome
        return OverTold(
            text="The match is over" if outcome is None else plugin.text.outcome(outcome, names),
            winners=() if outcome is None else tuple(outcome.winners),
            points=() if outcome is None else outcome.points,
            reason="" if outcome is None else outcome.reason,
            seed=match.seed.text,
            options=_chosen(match),
            # Where a game's file lies on the host's machine is nobody's business.
            again=command_to_play(match, re.split(r"[/\\]", plugin.source)[-1]),
            salt=None if match.salt is None else match.salt.hex(),
            film=self.film,
            next=self.next,
        )


def _chosen(match: AnyMatch) -> dict[str, OptionValue]:
    """The options of a match that are not at their defaults."""
    defaults = {option.name: option.default for option in match.game.options}
    return {name: it for name, it in match.options.items() if it != defaults.get(name)}


def called(plugin: Plugin, names: Sequence[str]) -> tuple[str, ...]:
    """What each seat is called, as the game says it; by its name where that fails."""
    try:
        said = tuple(map(str, plugin.text.called(names)))
    except Exception:
        _log.exception("the seats of %s cannot be called", plugin.game.name)
        return tuple(names)
    return said if len(said) == len(names) else tuple(names)
