"""Hints: what a thinking bot would do for a person, from no more than their seat knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabletop.errors import IllegalAction
from tabletop.registry import Plugin
from tabletop.rng.streams import Streams
from tabletop.states.bounds import Seat

if TYPE_CHECKING:
    from tabletop.session.bot_pool import Answer, Question
    from tabletop.session.session import Session

HINT_SECONDS: Final = 3.0
"""A bot thinks about a hint so long at most, if it can be stopped."""


def hint_bot(plugin: Plugin) -> str:
    """Return the name of the bot that gives hints in a game; empty where none thinks."""
    if "hard" in plugin.bot_names:
        return "hard"
    return plugin.best_bot if plugin.best_bot != "random" else ""


def hint_question(session: Session, seat: Seat) -> Question:
    """Return the question to a bot what it would do for a seat now.

    The bot is not sent the state, but one that the seat cannot tell from it; it is drawn the same
    for everything that is hidden from the seat, and with no chance of the match.

    Raises:
        IllegalAction: there are no hints at this table, or in this game; or the seat is no
            person's, or not to act.
        ContractError: the game hides something, and does not say how to deal it anew.
    """
    from tabletop.session.bot_pool import Question  # only who asks for hints needs it

    match, plugin = session.match, session.plugin
    if not session.gives_hints:
        raise IllegalAction("there are no hints at a fair table, only at a casual one")
    bot = hint_bot(plugin)
    if not bot:
        raise IllegalAction(f"no bot of {plugin.game.name} thinks: there is no hint")
    if seat not in session.waiting_for:
        raise IllegalAction("it is not your turn", seat=seat)
    streams = Streams("hint")
    state = match.sampler(seat).sample(streams["state"])
    chance = streams["choices"]
    return Question.of(plugin, bot, state, seat, chance=chance, seconds=HINT_SECONDS)


def how_sure(answer: Answer, bot: str) -> str:
    """Say whose hint it is and how sure they are of it, as in `hard: 83 % sure, chances 63 %`."""
    said = []
    if answer.share is not None:
        said.append(f"{100 * answer.share:.0f} % sure")
    if answer.value is not None:
        said.append(f"chances {100 * answer.value:.0f} %")
    return f"{bot}: {', '.join(said)}" if said else bot
