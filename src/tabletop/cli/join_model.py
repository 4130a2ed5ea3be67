"""A language model at a table on a server: `tabletop join --bot llm:MODEL`."""

from __future__ import annotations

import asyncio

from msgspec import UNSET

from tabletop.display.briefing import action_in, form_of_answers, listed_choices
from tabletop.errors import CommandError
from tabletop.protocol.client import RemoteTable, RequestRefused
from tabletop.protocol.outgoing import LogOut, StateOut
from tabletop.rng.stream import Stream
from tabletop.states.bounds import Seat
from tabletop.table.language_models import REFUSALS, Message, Model, question, refused


class RemoteModel:
    """A language model that plays with the texts that the table sends for its seat.

    Args:
        stream: The random stream for actions after too many refused answers.
    """

    def __init__(self, table: RemoteTable, model: Model, stream: Stream) -> None:
        self._table, self._model, self._stream = table, model, stream
        self._rules = ""
        self._events: list[str] = []

    async def begin(self) -> None:
        """Request the rules, if the table has them."""
        if self._table.table.rules:
            self._rules = await self._table.rules()

    def hear(self, message: LogOut) -> None:
        """Remember the lines of the log."""
        self._events += [line.text for line in message.lines if line.text]

    async def act(self, seat: Seat, state: StateOut) -> None:
        """Play an action for a seat.

        Raises:
            TabletopError: The server of the model has failed, the models have used their tokens,
                or the connection is lost.
        """
        messages = self._question(seat, state)
        for _ in range(REFUSALS + 1):
            answer, *_ = await asyncio.to_thread(self._model.ask, messages)
            try:
                await self._table.act(action_in(answer), seat)
            except (CommandError, RequestRefused) as error:
                messages += refused(answer, error)
            else:
                return
            if self._table.state is not state:
                return  # the answer is for a position that has passed
        choices = [choice for choice in state.choices if choice.seat == seat]
        choice = self._stream.choice(choices)
        several = choice.several
        items = [] if several is UNSET else [it.words for it in several.items[: several.low]]
        await self._table.act(" ".join([choice.words, *items]), seat)

    def _question(self, seat: Seat, state: StateOut) -> list[Message]:
        """Return the messages about the present position."""
        table = self._table.table
        introduction = [
            f"You play {table.title}. You are {table.seat_titles[seat]}.",
            self._rules.strip(),
            form_of_answers("action"),
        ]
        turn = [
            state.text,
            state.prompt or "It is your turn.",
            f"Legal actions:\n{listed_choices(state, seat)}",
        ]
        return question("\n\n".join(filter(None, introduction)), self._events, "\n\n".join(turn))
