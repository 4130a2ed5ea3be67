"""Hints: actions that a bot suggests to a person, using only information that the seat has."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

from tabletop.display.text_view import TextView
from tabletop.errors import NotPermitted
from tabletop.match.match import AnyMatch
from tabletop.rng.streams import Streams
from tabletop.states.bounds import Seat
from tabletop.table.acting import not_your_turn
from tabletop.table.bot_names import hint_bot
from tabletop.wording import plural

if TYPE_CHECKING:
    from tabletop.table.bot_pool import Answer, Question
    from tabletop.table.match_requests import MatchRequests

_NEXT: Final = 2
"""Number of other actions that a hint mentions."""

HINT_SECONDS: Final = 3.0
"""Maximum seconds for a hint of a bot that can be stopped."""


def hint_question(requests: MatchRequests, seat: Seat) -> Question:
    """Return the question to a bot which action it would choose for a seat now.

    The question does not contain the real state, but a state that the seat cannot distinguish from
    it. The sample does not depend on hidden information or on the random streams of the match.

    Raises:
        NotPermitted: There are no hints at this table or in this game.
        NotYourTurn: The seat is not a person's, or is not to act.
        ContractError: The game hides something but does not define how to redeal it.
    """
    from tabletop.table.bot_pool import Question  # needed only for hints

    match, plugin = requests.match, requests.plugin
    if not requests.hints_allowed:
        raise NotPermitted("hints are turned off at this table")
    bot = hint_bot(plugin)
    if not bot:
        raise NotPermitted(
            f"none of the bots of {plugin.game.name} searches, so hints are not available"
        )
    if seat not in requests.players.waiting_for:
        raise not_your_turn(match, seat)
    streams = Streams("hint")
    state = match.sampler(seat).sample(streams["state"])
    stream = streams["choices"]
    return Question.of(plugin, bot, state, seat, stream=stream, seconds=HINT_SECONDS)


def estimate(answer: Answer) -> str:
    """Return a bot's estimate of its action in words, such as `estimated win chance 63 %`.

    An estimate that is not a share of wins is a rating from 0 to 100. Empty for a bot that does not
    search.
    """
    if answer.alone:
        return "the only sensible action"
    if answer.value is None:
        return ""
    percent = f"{100 * answer.value:.0f}"
    return f"estimated win chance {percent} %" if answer.counts_wins else f"rated {percent} of 100"


def hint_lines(words: str, confidence: str, reasons: Iterable[str]) -> str:
    """Return the text of a hint for a terminal: the action with its estimate, then the reasons."""
    suggestion = f"Hint: {words} ({confidence})" if confidence else f"Hint: {words}"
    return "\n".join([suggestion, *reasons])


def labels(match: AnyMatch, text: TextView[Any], seat: Seat) -> Callable[[str], str]:
    """Return a function from the text of an action of a seat to its label at a terminal."""
    view = match.view(seat)

    def label(words: str) -> str:
        try:
            return text.label(match.parse(words, seat), view)
        except Exception:  # the texts of the game may fail
            return words

    return label


def because(answer: Answer, label: Callable[[str], str] = str) -> tuple[str, ...]:
    """Return lines with the reasons for a hint, and with ratings of the next best actions.

    Args:
        answer: The answer of the bot. Without iterations there are no reasons.
        label: Returns the label for the text of an action.
    """
    tried = {it: (visits, total / visits) for it, (visits, total) in answer.tries.items() if visits}
    if answer.action not in tried:
        return ()

    def worth(action: str) -> str:
        percent = f"{100 * tried[action][1]:.0f}"
        return f"{percent} %" if answer.counts_wins else percent

    visits = sum(count for count, _ in tried.values())
    chosen = tried[answer.action][0]
    reason = f"{chosen} of {plural(visits, 'simulation')} chose this action"
    if answer.share is None:  # every action has the same number of iterations
        reason = f"{plural(chosen, 'simulation')} of each action"
    best = sorted(tried.keys() - {answer.action}, key=lambda it: (tried[it], it), reverse=True)
    others = ", ".join(f"{label(it)} ({worth(it)})" for it in best[:_NEXT])
    return (reason, *([f"next best: {others}"] if others else ()))
