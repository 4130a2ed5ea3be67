"""Renders the state message of a seat: its picture, its legal actions, and how the match ended.

It uses only what the seat's place at the session may see and do.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from tabletop.errors import RegistryError
from tabletop.events import Event
from tabletop.host.sanitize import printable, printable_names
from tabletop.match import AnyMatch
from tabletop.options import OptionValue
from tabletop.outcome import Seat
from tabletop.picture import Clickable, Picture, Scene, TextPicture, clickables, picture_of
from tabletop.records.file import read
from tabletop.records.replay import Stepper
from tabletop.records.replay_command import command_to_play
from tabletop.registry import Plugin
from tabletop.replay_page import MatchSteps, replay_page
from tabletop.rng.seeds import commitment
from tabletop.session import Participant, Session
from tabletop.svg import document, paragraph
from tabletop.web.messages import ChoiceOut, OverOut, StateOut
from tabletop.wording import join_words

MAX_CHOICES: Final = 2000
"""So many legal actions are sent at most."""

SIT_DOWN: Final = "ready"
"""What people who share a screen say when they have sat down, before it shows their secrets."""

FAILED: Final = (
    "The rules of the game have failed here: take the last action back, or ask who runs the server"
)
"""The prompt of a position that cannot be shown."""

_log = logging.getLogger("tabletop")


def picture_for(plugin: Plugin) -> Picture[Any]:
    """The picture of a game; its text where it has no picture that works."""
    try:
        return picture_of(plugin)
    except RegistryError as error:
        _log.error("%s; it is shown as text", error)
        return TextPicture(plugin.text)


def commitment_of(match: AnyMatch) -> str | None:
    """The commitment to the seed and the salt of a match; None without a salt."""
    return None if match.salt is None else commitment(match.seed, match.salt)


@dataclass(frozen=True, slots=True)
class StateRenderer:
    """Renders the present state of a session for one client.

    Attributes:
        session: the session.
        place: the place of the client at the session.
        seat: the seat whose view is drawn; None for a spectator.
        picture: the picture of the game.
        covered: the seat that is to act and whose person has not sat down yet.
        recent: the events since the last picture.
        told: these and earlier ones, as far as they are remembered.
        film: the path of the page that replays the match, once it is over.
        next: the page of the table where the same people play again.
        line: the number of the last line of the log.
        can_undo, can_redo: whether the client may do that, or ask the others for it.
        no_undo: why nothing can be undone; empty where nobody would wonder.
    """

    session: Session
    place: Participant
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

    def state(self, *, narrow: bool) -> StateOut:
        """The message about the state."""
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
        return StateOut(
            ply=match.ply,
            svg=self._draw(view, scene),
            turn=match.to_act,
            asked=asked,
            prompt=self._prompt(asked, names),
            choices=choices,
            more=more,
            can_undo=self.can_undo,
            can_redo=self.can_redo,
            no_undo=self.no_undo,
            text=self._text(view, names),
            commands=() if commands is None else tuple(commands.help().splitlines()),
            over=self._over(names) if match.over else None,
            line=self.line,
        )

    def failed_state(self) -> StateOut:
        """The message about a state that the rules cannot show: people can undo what led there."""
        match = self.session.match
        words = paragraph(20, 40, f"{FAILED}.", 18, (360, 90))
        return StateOut(
            ply=match.ply,
            svg=document(400, 140, words, label=FAILED, bare=True),
            turn=match.to_act,
            prompt=FAILED,
            can_undo=self.can_undo,
            can_redo=self.can_redo,
            no_undo=self.no_undo,
            line=self.line,
        )

    def _draw(self, view: Any, scene: Scene) -> str:
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

    def _text(self, view: Any, names: Sequence[str]) -> str:
        try:
            return self.session.plugin.text.position(view, names, self.seat)
        except Exception:  # and without words
            _log.exception("%s cannot be put into words", self.session.match.game.name)
            return ""

    def _choices(
        self, asked: Sequence[Seat], names: Sequence[str]
    ) -> tuple[tuple[ChoiceOut, ...], int]:
        """The legal actions to send, and how many more there are."""
        if self.covered is not None:
            label = f"I am {names[self.covered]}: show what I may see"
            return (ChoiceOut(SIT_DOWN, label, (), self.covered),), 0
        choices: list[ChoiceOut] = []
        more = 0
        for seat in asked:
            actions = self.place.legal_actions(seat)
            room = MAX_CHOICES - len(choices)
            more += max(0, len(actions) - room)
            choices += self._choices_of(seat, actions[:room], names)
        return tuple(choices), more

    def _choices_of(
        self, seat: Seat, actions: Sequence[Any], names: Sequence[str]
    ) -> list[ChoiceOut]:
        try:
            found = clickables(self.picture, self.place.view(seat), actions, names, seat)
        except Exception:
            _log.exception("%s cannot be clicked", self.session.match.game.name)
            found = tuple(Clickable(str(action), str(action)) for action in actions)
        return [ChoiceOut(it.words, printable(it.label), it.path, seat) for it in found]

    def _prompt(self, asked: Sequence[Seat], names: Sequence[str]) -> str:
        match = self.session.match
        if match.over:
            return "The match is over"
        if asked:
            return self._question(asked[0], names)
        return f"Waiting for {join_words([names[seat] for seat in match.to_act], 'and')}"

    def _question(self, seat: Seat, names: Sequence[str]) -> str:
        """The question of the game, with the name where several people share a screen."""
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

    def _over(self, names: Sequence[str]) -> OverOut:
        match, plugin = self.session.match, self.session.plugin
        outcome = match.outcome
        return OverOut(
            text="The match is over" if outcome is None else plugin.text.outcome(outcome, names),
            winners=() if outcome is None else tuple(outcome.winners),
            points=() if outcome is None else outcome.points,
            reason="" if outcome is None else outcome.reason,
            seed=match.seed.text,
            options=_chosen(match),
            # Not the folder of the game's file: that is the host's own business.
            again=command_to_play(match, re.split(r"[/\\]", plugin.source)[-1]),
            salt=None if match.salt is None else match.salt.hex(),
            film=self.film,
            next=self.next,
        )


def _chosen(match: AnyMatch) -> dict[str, OptionValue]:
    """The options of a match that differ from their defaults."""
    defaults = {option.name: option.default for option in match.game.options}
    return {name: it for name, it in match.options.items() if it != defaults.get(name)}


def seat_titles(plugin: Plugin, names: Sequence[str]) -> tuple[str, ...]:
    """The seats as the game writes them; their names where that fails."""
    try:
        said = tuple(map(str, plugin.text.called(names)))
    except Exception:
        _log.exception("the seats of %s cannot be called", plugin.game.name)
        return tuple(names)
    return said if len(said) == len(names) else tuple(names)


ReplayPage: TypeAlias = Callable[[], str]
"""Makes the page that replays a finished match; it runs in a thread of its own."""


def replay_of_record(plugin: Plugin, path: Path, seat: Seat | None) -> str:
    """The page that replays a record, as a seat or spectators saw it.

    Raises:
        RecordError: the record cannot be read, or does not replay.
    """
    return replay_page(Stepper(read(path), plugin.game), picture_for(plugin), plugin.text, seat)


def replay_of_match(plugin: Plugin, match: AnyMatch, seat: Seat | None) -> str:
    """The page that replays a match without a record; actions that were undone are not in it."""
    return replay_page(MatchSteps(match), picture_for(plugin), plugin.text, seat)
