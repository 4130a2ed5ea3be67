"""The messages of a table to its screens: the table, states, earlier positions and refusals.

A state uses only data that its holder may see.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from functools import lru_cache
from itertools import islice, zip_longest
from typing import Any, Final, NamedTuple, TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from tabletop.display.console_text import News, Reading, Shown, Wanted
from tabletop.display.picture import (
    Clickable,
    Picture,
    Scene,
    TextPicture,
    button_label,
    clickables,
)
from tabletop.display.svg import document, paragraph
from tabletop.display.text_view import TextView, usable_label
from tabletop.errors import (
    CommandError,
    ContractError,
    IllegalAction,
    NotPermitted,
    RecordError,
    RegistryError,
    TabletopError,
)
from tabletop.host.screen_text import printable, sanitize
from tabletop.match.match import AnyMatch
from tabletop.protocol.data import as_data, outcome_data
from tabletop.protocol.incoming import ExplainIn
from tabletop.protocol.outgoing import (
    ChoiceOut,
    DataOut,
    ExplainOut,
    ItemOut,
    OverOut,
    PastOut,
    Reason,
    RefusedOut,
    SeveralOut,
    StateOut,
    TableOut,
)
from tabletop.records.replay_command import command_to_play
from tabletop.registry import Plugin
from tabletop.rng.seeds import commitment
from tabletop.rules.commands import Commands
from tabletop.rules.options import OptionValue
from tabletop.rules.selections import shorten, split
from tabletop.states.bounds import Seat
from tabletop.states.codec import to_builtins
from tabletop.table.bot_names import bots_of, player_labels
from tabletop.table.bot_turns import UNSAVED, has_crashed
from tabletop.table.inputs import Wants
from tabletop.table.limits import TooFast
from tabletop.table.match_requests import MatchRequests
from tabletop.table.match_table import MatchTable
from tabletop.table.past import Past
from tabletop.table.perspective import Perspective
from tabletop.table.seat_holder import WATCHING, Refusal, Screen, SeatHolder
from tabletop.wording import join_words

MAX_CHOICES: Final = 2000
"""Maximum number of legal actions in a message."""

CANNOT_SAVE: Final = f"{UNSAVED}; try again later"
"""The answer to a request that failed because a file could not be written. It has no path in it."""

NOT_NOW: Final = "this cannot be used now; parts with a ring can"
"""The reason for a part of the picture without an action, or without a reason for its action."""

_TRIED: Final = 2_000
"""Maximum number of actions that are searched for one with a part, because the table waits."""

_KEPT_TEXTS: Final = 16
"""The number of last states whose texts for terminals are kept."""

FAILED: Final = "The rules of the game failed at this position"
"""The start of the prompt for a position that cannot be shown, unless the reason is known."""

S = TypeVar("S")
T = TypeVar("T")

_log = logging.getLogger("tabletop")


def picture_for(plugin: Plugin) -> Picture[Any]:
    """Return the picture of a game, or its text if the picture does not work."""
    try:
        return plugin.make_picture()
    except RegistryError as error:
        _log.error("%s; the game is shown as text", error)
        return TextPicture(plugin.text)


def commitment_of(match: AnyMatch) -> str | None:
    """Return the commitment to the seed and the salt of a match, or None without a salt."""
    return None if match.salt is None else commitment(match.seed, match.salt)


@dataclass(frozen=True, slots=True)
class SharedPaths:
    """The paths of a table that its players may share with other people.

    Attributes:
        watch: The path of the page for spectators, or an empty text if players do not receive it.
        invitation: The path of the invitation, or an empty text if there is none.
        invited: The seats that people can take with the invitation while they are free.
    """

    watch: str = ""
    invitation: str = ""
    invited: tuple[Seat, ...] = ()


class _TerminalTexts(NamedTuple):
    """The texts of a state for a terminal."""

    reading: Reading[Any]
    news: News
    shown: Shown
    choices: tuple[ChoiceOut, ...]


class TablePresenter:
    """Makes the messages of a table for its screens, with the texts and the picture of the game.

    If the game's code fails to draw or describe a position, the match continues without the picture
    or the text.

    Args:
        table: The table.
        shared: The paths that players may share, by default none.
    """

    def __init__(self, table: MatchTable, shared: SharedPaths | None = None) -> None:
        self.picture: Picture[Any] = picture_for(table.plugin)
        self._table = table
        self._shared = shared or SharedPaths()
        self._texts: dict[Hashable, _TerminalTexts] = {}

    def table(self, holder: SeatHolder, now: float) -> TableOut:
        """Return the message about the table."""
        table, plugin, sees = self._table, self._table.plugin, holder.perspective
        seen, match, is_free = sees.table, sees.match, table.successors.is_free
        invites = holder.seats and any(is_free(seat, now) for seat in self._shared.invited)
        return TableOut(
            **seen.facts(now)._asdict(),
            game=plugin.game.name,
            title=plugin.game.title or plugin.game.name,
            version=plugin.game.version,
            names=match.names,
            seat_titles=seat_titles(plugin, match.names),
            players=seen.players,
            player_labels=player_labels(seen.players),
            your_seats=holder.seats,
            spectator=not holder.seats,
            bots=bots_of(plugin),
            settings=table.settings,
            free_undo=table.requests.undoing.is_free,
            commitment=commitment_of(match),
            hosted=table.hosted,
            hints=table.requests.gives_hints,
            rules=table.questions.rules != "",
            spectator_path=self._shared.watch,
            invitation=self._shared.invitation if invites else "",
            commands=_usage(table.questions.texts.commands),
        )

    def state(self, holder: SeatHolder, wants: Wants, now: float) -> StateOut:
        """Return the message about the state, or about its failure if the rules cannot show it."""
        covered = holder.covered
        renderer = self._renderer(holder, holder.seat if covered is None else None, covered)
        try:
            state = renderer.state(wants)
            return replace(state, deadline=self._table.time_to_act(state.your_turn, now))
        except Exception as error:  # players can still undo the action that led here
            _log.exception("%s cannot be shown", self._table.match.game.name)
            if isinstance(error, ContractError) and error.ply:  # no legal action
                return renderer.failed_state(str(error))
            return renderer.failed_state()

    def for_terminal(self, screen: Screen, state: StateOut) -> StateOut:
        """Return the message about the state with the texts of a terminal, which shows them now."""
        try:
            return self._with_texts(screen, state)
        except Exception:
            _log.exception("%s has no texts for a terminal", self._table.match.game.name)
            return state

    def _with_texts(self, screen: Screen, state: StateOut) -> StateOut:
        holder, last = screen.holder, screen.question
        position = state.revision, holder.reader, state.your_turn, state.covered
        wanted: Wanted | None = "question"
        if last is not None and last[0] == position:
            wanted = None
        elif last is None and not state.your_turn and state.over is None:
            wanted = "table"
        shown_before = screen.read, screen.asked, screen.shown_size
        # Many spectators receive the same texts.
        key = holder.link, holder.version, screen.size, wanted, shown_before
        if key not in self._texts:
            if len(self._texts) >= _KEPT_TEXTS:
                self._texts.clear()
            self._texts[key] = self._texts_of(screen, state, wanted)
        texts = self._texts[key]
        screen.show_news(texts.reading, unread=texts.news.unread)
        if wanted is not None:
            screen.question = position, texts.shown
            if texts.shown.text or state.your_turn:
                screen.show_question()
        shown = texts.shown if last is None or wanted is not None else last[1]
        return replace(
            state,
            text=shown.text,
            numbered=shown.numbered,
            news=sanitize(texts.news.text),
            choices=texts.choices,
        )

    def _texts_of(self, screen: Screen, state: StateOut, wanted: Wanted | None) -> _TerminalTexts:
        """Return the texts of a state, without a question if none is wanted."""
        texts, holder = self._table.questions.texts, screen.holder
        reading = holder.reading(screen, wanted or "question")
        news = texts.news(reading) if reading.unread else News()
        is_asked = wanted is not None and state.covered is None
        shown = texts.question(reading) if is_asked else Shown()
        listed, _ = split(reading.actions)
        hints = [texts.meaning(action, reading) for action in listed[:MAX_CHOICES]]
        choices = state.choices
        if any(hints):
            choices = _with_hints(choices, reading.seat, hints)
        return _TerminalTexts(reading, news, Shown(sanitize(shown.text), shown.numbered), choices)

    def past(self, holder: SeatHolder, seat: Seat | None, past: Past, wants: Wants) -> PastOut:
        """Return the message about an earlier position, as a seat or a spectator saw it."""
        return self._renderer(holder, seat).past(past, wants)

    def _renderer(
        self, holder: SeatHolder, seat: Seat | None, covered: Seat | None = None
    ) -> StateRenderer:
        return StateRenderer(
            self._table.requests,
            holder,
            self.picture,
            seat=seat,
            covered=covered,
            passes=self._table.passing.mode(holder.played_seats),
        )

    def label(self, holder: SeatHolder, words: str) -> str:
        """Return the label of the button for an action, or its words if that fails."""
        try:
            sees, seat = holder.perspective, holder.seat
            action, view = sees.match.parse(words, seat), sees.view(seat)
            text = self._table.plugin.text
            label = button_label(self.picture, text, action, view, sees.names, seat or 0)
            return printable(label)
        except Exception:  # the picture may fail, in which case its buttons have the words, too
            return words

    def explain(self, holder: SeatHolder, asked: ExplainIn) -> ExplainOut:
        """Return the reason why a part of the picture cannot be used now."""
        return ExplainOut(asked.id, self._reason(holder, [*asked.chosen, asked.part]))

    def _reason(self, holder: SeatHolder, parts: list[str]) -> str:
        seat = None if holder.covered is not None else holder.seat
        if seat is None:
            return WATCHING
        try:
            for lines in self._lines(holder, parts, seat):
                reasons: set[str] = set()
                for line in filter(None, lines):
                    # Nobody has typed this line, so the reason why it means nothing would not help.
                    with suppress(CommandError):
                        reasons.add(_refusal(holder, line, seat))
                    if len(reasons) > 1:
                        return NOT_NOW
                if reasons:
                    return reasons.pop()
        except Exception:  # the rules may fail on an unknown part
            _log.exception("%r has failed", parts)
        return NOT_NOW

    def _lines(self, holder: SeatHolder, parts: list[str], seat: Seat) -> Iterator[Sequence[str]]:
        """Yield groups of lines that a player may type for a part after the chosen parts.

        Each group fits worse than the previous one. The actions may be illegal.
        """
        match, view = self._table.match, holder.perspective.view(seat)
        attempt, is_first = self.picture.attempt(parts[-1], view, seat), len(parts) == 1
        if is_first:
            yield [attempt]
        actions: Iterable[Any] | None = match.game.all_actions(match.options, match.seats)
        table = match.game.commands if actions is None else None
        paths: list[tuple[str, list[str]]] = []
        for entry in islice(table.lines() if table is not None else actions or (), _TRIED):
            with suppress(Exception):  # a line may make no action, and an action may have no path
                action = entry if table is None else table.parse(entry, seat=seat)
                paths.append((str(action), [*self.picture.path(action, view, seat)]))
        yield [line for line, path in paths if path[: len(parts)] == parts]
        yield [line for line, path in paths if parts[-1] in path] if is_first else [attempt]

    def refusal(self, screen: Screen, refusal: Refusal) -> RefusedOut:
        """Return the message about a refused request. It does not contain paths of the host."""
        error = refusal.error
        reason, text = reason_of(error), str(error)
        if reason == "record":
            text = CANNOT_SAVE
        elif reason == "failed":
            text = "the rules of the game failed, and nothing has changed"
        elif refusal.line and screen.wants.size.columns:
            with suppress(Exception):  # the texts of the game may fail
                reading = screen.holder.reading(screen)
                text = sanitize(self._table.questions.texts.refusal(refusal.line, error, reading))
        return RefusedOut(refusal.id, reason, text)


def _refusal(holder: SeatHolder, line: str, seat: Seat) -> str:
    """Return the reason why a line is refused. A line that means nothing is a `CommandError`."""
    try:
        holder.check(line, seat)
    except CommandError:
        raise
    except (TabletopError, ValueError) as error:
        return str(error)
    return f"this can be done: {line}"


_REASONS: Final[tuple[tuple[type[Exception], Reason], ...]] = (
    (RecordError, "record"),
    (CommandError, "words"),
    (NotPermitted, "refused"),
    (IllegalAction, "illegal"),
    (TooFast, "busy"),
    (TabletopError, "refused"),
    (ValueError, "refused"),
)


def reason_of(error: Exception) -> Reason:
    """Return the reason for which a request is refused with an error."""
    if isinstance(error, ContractError) and has_crashed(error):
        return "failed"
    return next((reason for kind, reason in _REASONS if isinstance(error, kind)), "failed")


@dataclass(frozen=True, slots=True)
class StateRenderer:
    """Renders the present state of a table for the people behind one link.

    If the game's code fails to draw or describe a position, the match continues without the picture
    or the text.

    Attributes:
        requests: The rules for requests.
        holder: The people.
        picture: The picture of the game.
        seat: The seat whose view is drawn, or None for the view of spectators.
        covered: The seat whose player must take the turn at a shared screen before the position is
            shown, or None.
        passes: Whether they pass until the end of the turn, or None.
    """

    requests: MatchRequests
    holder: SeatHolder
    picture: Picture[Any]
    _: KW_ONLY
    seat: Seat | None
    covered: Seat | None
    passes: bool | None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats, as they can be printed."""
        return self._sees.names

    @property
    def _sees(self) -> Perspective:
        return self.holder.perspective

    @property
    def _match(self) -> AnyMatch:
        return self._sees.match

    @property
    def _text(self) -> TextView[Any]:
        return self.requests.plugin.text

    def state(self, wants: Wants) -> StateOut:
        """Return the state message."""
        match, seat = self._match, self.seat
        view: Any = self._sees.view(seat)
        own = self.holder.played_seats if self.holder.may_request else ()
        your_turn = tuple(seat for seat in match.to_act if seat in own)
        choices, more = self._choices(your_turn, wants)
        scene = Scene(
            self.names,
            seat,
            to_act=match.to_act,
            choices=[_clickable(it) for it in choices if it.seat == seat],
            narrow=wants.picture in {"narrow", "small"},
            short=wants.picture in {"small", "landscape"},
            live=True,
            bare=True,
            recent=self._sees.log.recent_events(seat),
            told=self._sees.log.past_events(seat),
            outcome=match.outcome,
            question=self._question(seat) if seat in your_turn and len(match.to_act) == 1 else "",
        )
        commands = match.game.commands
        return replace(
            self._without_view(),
            svg=self._draw(view, scene) if wants.picture else "",
            view=to_builtins(view) if wants.data and self.covered is None else None,
            your_turn=your_turn,
            prompt=self._prompt(your_turn, wants),
            choices=choices,
            more_choices=more,
            text="" if wants.size.columns else self._put_into_words(view),
            commands=_usage(commands),
            over=self._over() if match.over else None,
            covered=self.covered,
            lessons=self._lessons(view, your_turn) if wants.lessons else (),
        )

    def past(self, past: Past, wants: Wants) -> PastOut:
        """Return the message about an earlier position, which can only be viewed."""
        scene = Scene(
            self.names,
            self.seat,
            to_act=past.to_act,
            narrow=wants.picture in {"narrow", "small"},
            short=wants.picture in {"small", "landscape"},
            bare=True,
            recent=past.recent,
            told=past.told,
            outcome=past.outcome,
        )
        view = past.view
        return PastOut(
            0,
            past.ply,
            text=self._put_into_words(view),
            svg=self._draw(view, scene) if wants.picture else "",
            view=to_builtins(view) if wants.data else None,
        )

    def failed_state(self, reason: str = FAILED) -> StateOut:
        """Return the message about a state that the rules cannot show. Players can undo it."""
        prompt = f"{reason}. Undo the last action, or ask the host"
        words = paragraph(20, 30, f"{prompt}.", 18, (360, 230))
        drawn = document(400, 250, words, label=prompt, bare=True)
        return replace(self._without_view(), svg=drawn, prompt=prompt)

    def _without_view(self) -> StateOut:
        match, may_act = self._match, self.holder.may_request
        undo = self.requests.can_undo(self.holder) if may_act else None
        return StateOut(
            ply=match.ply,
            seat=self.seat,
            turn=match.to_act,
            can_undo=bool(undo),
            can_redo=may_act and match.undone > 0,
            undo_refusal=undo.reason if undo is not None else "",
            log_line=self._sees.log.last_line,
            revision=self._sees.table.revision,
            can_resign=self.requests.can_resign(self.holder) if may_act else (),
            proposals=self.requests.proposals(self.holder),
            passes=self.passes if may_act else None,
        )

    def _try(self, verb: str, otherwise: S, call: Callable[..., T], *arguments: object) -> S | T:
        """Call a function of the game. If it fails, log the error and return `otherwise`."""
        try:
            return call(*arguments)
        except Exception:
            _log.exception("%s cannot be %s", self._match.game.name, verb)
            return otherwise

    def _lessons(self, view: Any, your_turn: Sequence[Seat]) -> tuple[str, ...]:
        lessons, seat = self.requests.plugin.lessons, self.seat
        if lessons is None or seat not in your_turn:
            return ()
        actions = self._match.legal_actions(seat)
        return self._try("taught", (), lambda: tuple(map(printable, lessons(view, seat, actions))))

    def _put_into_words(self, view: Any) -> str:
        position = self._text.narrow_position
        return self._try("put into words", "", position, view, self.names, self.seat)

    def _draw(self, view: Any, scene: Scene) -> str:
        scene = self._try("marked", scene, self.picture.marked, view, scene)
        drawn: str | None = self._try("drawn", None, self.picture.draw, view, scene)
        if drawn is None:
            drawn = self._try("put into words", "", TextPicture(self._text).draw, view, scene)
        return drawn

    def _choices(self, seats: Sequence[Seat], wants: Wants) -> tuple[tuple[ChoiceOut, ...], int]:
        """Return the legal actions to send, and the number of further ones."""
        if self.covered is not None:
            return (), 0
        choices: list[ChoiceOut] = []
        more = 0
        for seat in seats:
            actions = self._sees.legal_actions(seat)
            listed, _ = split(actions)
            room = max(0, MAX_CHOICES - len(choices))
            more += max(0, len(listed) - room)
            choices += self._choices_of(seat, shorten(actions, room), wants)
        return tuple(choices), more

    def _choices_of(self, seat: Seat, actions: Sequence[Any], wants: Wants) -> list[ChoiceOut]:
        picture, view, names = self.picture, self._sees.view(seat), self.names
        about = picture, view, actions, names, seat, self._text
        clicks = self._try("clicked", None, clickables, *about)
        if clicks is None:
            plain = TextPicture(self._text)
            clicks = clickables(plain, view, actions, names, seat, self._text)
        listed, _ = split(actions)
        data = [*map(as_data, listed)] if wants.data else []
        # A terminal completes the labels that can be typed.
        typed = [usable_label(self._text, it, view) for it in listed] if wants.size.columns else []
        shown = zip_longest(clicks, data, typed)
        return [_choice_out(it, seat, action, label or it.label) for it, action, label in shown]

    def _prompt(self, seats: Sequence[Seat], wants: Wants) -> str:
        match = self._match
        if match.over:
            return "The match is over"
        if seats and wants.size.columns and self.covered is None:
            view: Any = self._sees.view(seats[0])
            usual = f"{self.names[seats[0]]}> "
            return sanitize(
                self._try("asked", usual, self._text.prompt, view, seats[0], self.names)
            )
        if seats:
            return self._question(seats[0])
        if self.requests.refusal:
            return self.requests.refusal[:1].upper() + self.requests.refusal[1:]
        return f"Waiting for {join_words([self.names[seat] for seat in match.to_act], 'and')}"

    def _question(self, seat: Seat) -> str:
        """Return the question of the game, with a name if several people share a screen."""
        name, alone = self.names[seat], len(self.holder.played_seats) == 1
        if self.covered is None:
            view: Any = self._sees.view(seat)
            names = self.names
            question = self._try(
                "asked", "", lambda: printable(self._text.asked(view, seat, names))
            )
            if question:
                return question if alone else f"{name}: {question}"
        return "Your turn" if alone else f"{name}, it is your turn"

    def _over(self) -> OverOut:
        match = self._match
        outcome, source = match.outcome, self.requests.plugin.source
        over, chosen = "The match is over", _chosen(match)
        words = over if outcome is None else self._text.outcome(outcome, self.names)
        return replace(
            outcome_data(outcome, words),
            seed=match.seed.text,
            options=chosen,
            option_labels={it.name: it.title for it in match.game.options if it.name in chosen},
            # The folder of the game's file is private to the host.
            command=command_to_play(match, re.split(r"[/\\]", source)[-1]),
            salt=None if match.salt is None else match.salt.hex(),
            replay_page=self.holder.replay_page,
            next_table=self.holder.next_table,
        )


def _with_hints(
    choices: Sequence[ChoiceOut], seat: Seat | None, hints: Iterable[str]
) -> tuple[ChoiceOut, ...]:
    """Return choices with hints for the single actions of a seat."""
    rest = iter(hints)
    return tuple(
        replace(choice, hint=printable(next(rest, "")))
        if choice.seat == seat and choice.several is UNSET
        else choice
        for choice in choices
    )


@lru_cache(64)
def _usage(commands: Commands | None) -> tuple[str, ...]:
    """Return a line about each command."""
    return () if commands is None else tuple(commands.help().splitlines())


def _choice_out(choice: Clickable, seat: Seat, action: DataOut | None, label: str) -> ChoiceOut:
    items = tuple(ItemOut(it.words, printable(it.label), it.path) for it in choice.items)
    several = SeveralOut(choice.low, choice.high, items) if items else UNSET
    return ChoiceOut(choice.words, printable(label), choice.path, seat, action, several=several)


def _clickable(choice: ChoiceOut) -> Clickable:
    if choice.several is UNSET:
        return Clickable(choice.words, choice.label, choice.path)
    several = choice.several
    items = tuple(Clickable(it.words, it.label, it.path) for it in several.items)
    return Clickable(choice.words, choice.label, choice.path, items, several.low, several.high)


def _chosen(match: AnyMatch) -> dict[str, OptionValue]:
    """Return the options of a match that differ from their defaults."""
    defaults = {option.name: option.default for option in match.game.options}
    return {name: it for name, it in match.options.items() if it != defaults.get(name)}


def seat_titles(plugin: Plugin, names: Sequence[str]) -> tuple[str, ...]:
    """Return the seats as the game calls them, or their names if that fails."""
    try:
        titles = tuple(map(str, plugin.text.called(names)))
    except Exception:
        _log.exception("the seats of %s have no titles", plugin.game.name)
        return tuple(names)
    return titles if len(titles) == len(names) else tuple(names)
