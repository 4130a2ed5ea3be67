"""Hints: what a thinking bot would do for a person, from no more than their seat knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from tabletop.errors import NotPermitted, NotYourTurn
from tabletop.registry import Plugin
from tabletop.rng.streams import Streams
from tabletop.states.bounds import Seat

if TYPE_CHECKING:
    from tabletop.session.bot_pool import Answer, Question
    from tabletop.session.session import Session

_NEXT: Final = 2
"""So many other actions a hint says something of."""

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
        NotPermitted: there are no hints at this table, or in this game.
        NotYourTurn: the seat is no person's, or not to act.
        ContractError: the game hides something, and does not say how to deal it anew.
    """
    from tabletop.session.bot_pool import Question  # only who asks for hints needs it

    match, plugin = session.match, session.plugin
    if not session.gives_hints:
        raise NotPermitted("hints are available only at casual tables")
    bot = hint_bot(plugin)
    if not bot:
        raise NotPermitted(
            f"none of the bots of {plugin.game.name} searches, so hints are not available"
        )
    if seat not in session.waiting_for:
        raise NotYourTurn("it is not your turn", seat=seat)
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
        chances = f"chances {100 * answer.value:.0f} %"
        said.append(chances if answer.counts_wins else f"rated {answer.value:.2f}")
    return f"{bot}: {', '.join(said)}" if said else bot


def because(answer: Answer, label: Callable[[str], str] = str) -> tuple[str, ...]:
    """Say in lines what speaks for a hint, and what the bot thinks of the next best actions.

    Args:
        answer: the answer of the bot; one that tries nothing says nothing.
        label: what the text of an action is called.
    """
    tried = {it: (visits, total / visits) for it, (visits, total) in answer.tries.items() if visits}
    if answer.action not in tried:
        return ("the only sensible action",) if answer.alone else ()

    def worth(action: str) -> str:
        mean = tried[action][1]
        return f"{100 * mean:.0f} %" if answer.counts_wins else f"{mean:.2f}"

    visits = [own for own, _ in tried.values()]
    does = "and won" if answer.counts_wins else "rated"
    went = f"of {sum(visits)} tries {tried[answer.action][0]} went this way, {does}"
    if answer.share is None:  # no action is tried more than another
        does = "it won" if answer.counts_wins else "it is rated"
        went = f"of {sum(visits)} tries, as many for each action, {does}"
    best = sorted(tried.keys() - {answer.action}, key=lambda it: (tried[it], it), reverse=True)
    others = ", ".join(f"{label(it)} ({worth(it)})" for it in best[:_NEXT])
    return (f"{went} {worth(answer.action)}", *([f"next best: {others}"] if others else ()))
