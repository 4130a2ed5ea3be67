"""The texts with which a language model plays, for every game without code of its own.

A `Briefing` describes a match to one seat: the rules once, then for each turn the events since the
last turn, the position, the question and the legal actions. It reads the action from the answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final, Literal, NamedTuple

from tabletop.display.text_view import TextView, usable_label
from tabletop.errors import CommandError, IllegalAction, TabletopError
from tabletop.match.match import AnyMatch
from tabletop.protocol.data import event_data
from tabletop.protocol.outgoing import StateOut
from tabletop.rules.commands import Commands
from tabletop.rules.events import ActionPlayed, Event
from tabletop.rules.selections import split
from tabletop.states.bounds import Seat
from tabletop.states.codec import to_json
from tabletop.states.json_schema import json_schema
from tabletop.wording import several_in_words, truncate

Form = Literal["words", "json"]
"""The form of positions and events: the words that people read, or JSON with a schema."""

LONGEST_ANSWER: Final = 100_000
"""Maximum number of characters of an answer that are searched for an action, from its end."""

_BRACKETS: Final = re.compile(r"\[([^\[\]\n]+)\]")


def action_in(answer: str) -> str:
    """Return the last text in square brackets, or else the last line with visible text.

    Raises:
        CommandError: The answer is empty.
    """
    answer = answer[-LONGEST_ANSWER:]
    found = _BRACKETS.findall(answer)
    lines = [line.strip() for line in answer.splitlines() if line.strip()]
    if not lines:
        raise CommandError("the answer is empty")
    return truncate(found[-1].strip() if found else lines[-1], 1000)


def form_of_answers(example: str) -> str:
    """Return the explanation of the form of an answer, with the text of an action."""
    return (
        f"End each answer with your action in square brackets, such as [{example}]. Write nothing"
        " in square brackets before it."
    )


def refusal(error: TabletopError) -> str:
    """Return the text for a player whose answer is refused."""
    return f"Refused: {error}\nAnswer again, with a legal action in square brackets."


def usages(commands: Commands | None) -> str:
    """Return the form of each command with an explanation, or an empty text without commands."""
    listed = () if commands is None else commands.commands
    return "\n".join(f"- {it.usage}: {it.help}" for it in listed)


def listed_choices(state: StateOut, seat: Seat) -> str:
    """Return the legal actions of a seat at a table, in square brackets."""
    lines = [choice.in_words() for choice in state.choices if choice.seat == seat]
    if state.more_choices:
        forms = "; ".join(state.commands)
        lines.append(f"... and {state.more_choices} more. Forms of actions: {forms}")
    return "\n".join(lines)


class Told(NamedTuple):
    """An event in the form for its reader: the event and its text."""

    event: Event
    text: str

    @property
    def is_action(self) -> bool:
        """Whether the event is an action of a player."""
        return isinstance(self.event, ActionPlayed)


class Briefing:
    """The description of a match for one seat.

    The texts contain only what the seat may see. Call `close` when the seat is no longer described.

    Args:
        form: The form of positions and events.
        lists_actions: Whether each turn lists the legal actions. Otherwise the rules are followed
            by the commands of the game, if it has any.
    """

    def __init__(
        self,
        match: AnyMatch,
        text: TextView[Any],
        rules: str,
        seat: Seat,
        *,
        form: Form = "words",
        lists_actions: bool = True,
    ) -> None:
        self._match, self._text, self._rules, self._seat = match, text, rules, seat
        self._is_json, self._lists_actions = form == "json", lists_actions
        self._untold: list[Told] = []
        self.close = match.observe(self._observe, seat=seat)

    def _observe(self, event: Event) -> None:
        match, seat = self._match, self._seat
        if self._is_json:
            data = event_data(event)
            line = "" if data is None else to_json(data).decode()
        else:
            line = self._text.event(event, match.names, seat)
        if line:
            self._untold.append(Told(event, line))

    @cached_property
    def introduction(self) -> str:
        """The text before the first turn: the game, the players, the rules, the form of answers."""
        match, seat = self._match, self._seat
        game = match.game
        players = ", ".join(
            f"{name} (you)" if at == seat else name for at, name in enumerate(match.names)
        )
        parts = [f"You play {game.title or game.name}. Players: {players}.", self._rules.strip()]
        if self._is_json:
            (schema,), definitions = json_schema([type(match.view(seat))])
            parts.append("Positions are JSON with this schema:")
            parts.append(json.dumps({**schema, "$defs": definitions}))
        if not self._lists_actions and game.commands is not None:
            parts.append(f"Actions:\n{usages(game.commands)}")
        parts.append(form_of_answers(self._example()))
        return "\n\n".join(filter(None, parts))

    def events(self) -> Sequence[Told]:
        """Return the events since the last call."""
        told, self._untold = self._untold, []
        return told

    def turn(self) -> str:
        """Return the position, the question, and the legal actions if they are listed."""
        match, seat = self._match, self._seat
        view = match.view(seat)
        if self._is_json:
            position, question = to_json(view).decode(), f"{match.names[seat]} is to act."
        else:
            position = self._text.plain_position(view, match.names, seat)
            question = self._text.asked(view, seat, match.names) or "It is your turn."
        parts = [position, question]
        if self._lists_actions:
            listed, selections = split(match.legal_actions(seat))
            actions = [f"[{self._words_of(it, view)}]" for it in listed]
            for it in selections:
                words = map(it.word, it.items)
                actions.append(several_in_words(f"[{it.words}]", it.low, it.high, words))
            parts.append("\n".join(["Legal actions:", *actions]))
        return "\n\n".join(parts)

    def read(self, answer: str) -> Any:
        """Return the action in an answer, which is legal.

        See `action_in` for the form of an answer.

        Raises:
            TabletopError: The answer contains no action, or the action is not legal. The message is
                for the player who gave the answer.
        """
        match, seat = self._match, self._seat
        words = action_in(answer)
        actions = match.legal_actions(seat)
        action = self._text.parse(match, words, seat)
        if action not in actions:
            match.check(action)
            if match.actor(action) != seat:
                raise IllegalAction(f"only {match.names[match.actor(action)]} may choose {action}")
        return action

    def _words_of(self, action: Any, view: Any) -> str:
        """Return the words of an action, in the notation that people type."""
        return str(action) if self._is_json else usable_label(self._text, action, view)

    def _example(self) -> str:
        """Return the text of an action: one that is legal now, or the beginning of a command."""
        match, seat = self._match, self._seat
        if seat in match.to_act:
            return self._words_of(match.legal_actions(seat)[0], match.view(seat))
        commands = match.game.commands
        return "action" if commands is None else commands.commands[0].usage
