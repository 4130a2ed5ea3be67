"""Claims: deeds for which a seat says to hold a role that nobody sees, doubts, and blocks.

A game declares its deck and its deeds, and says what a deed does. `Claims` asks who doubts and who
blocks, has claimed cards shown, and takes a card of whoever was wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol, TypeVar

from tabletop.parts.cards import redraw
from tabletop.parts.flow import Todo, asked, call_off, hear, passes, settle
from tabletop.rules.events import Event, Watcher, event
from tabletop.rules.game import Table
from tabletop.rules.turns import others
from tabletop.states.bounds import Seat
from tabletop.states.visibility import OWNER, secret
from tabletop.wording import join_words

A = TypeVar("A")

_PASSES: Final = "pass"
_DOUBT: Final = "doubt"
_BLOCK: Final = "block"
_BLOCKED: Final = "blocked"
_LOSE: Final = "lose"


@dataclass(frozen=True, slots=True)
class Deed:
    """What a seat may do in its turn, and what it says to hold for it.

    Attributes:
        role: the role that is claimed; empty for none: then nobody doubts it.
        cost: the coins that it costs, which are paid whatever comes of it.
        aimed: whether it is aimed at another seat.
        blocked_by: the roles of which whoever it is aimed at may claim one to block it; where it is
            aimed at nobody all others may.
    """

    role: str = ""
    cost: int = 0
    aimed: bool = False
    blocked_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Act:
    """A deed, an answer that all hear, or the card to lose: `rob 2`, `block guard`, `lose guard`.

    Attributes:
        seat: the seat that acts.
        what: the word of the deed, `pass`, `doubt`, `block` or `lose`.
        target: the seat that a deed is aimed at, if any.
        role: the role that is claimed to block, or lost.
    """

    seat: Seat
    what: str
    target: Seat | None = None
    role: str = ""

    def __str__(self) -> str:
        target = "" if self.target is None else str(self.target + 1)
        return " ".join(filter(None, (self.what, target, self.role)))


@dataclass(frozen=True, slots=True)
class Say:
    """An answer that others hear when all have answered: `pass`, `doubt`, `block guard`."""

    seat: Seat
    word: str = secret(to=OWNER, back="?")

    def __str__(self) -> str:
        return self.word


@event
class Blocked(Event):
    """A seat claims a role to block a deed; told where answers are given at the same time."""

    seat: Seat
    role: str


@event
class Doubted(Event):
    """A seat has doubted a claim: the card was shown and drawn anew, or was not there."""

    seat: Seat
    claimer: Seat
    role: str
    lied: bool


class Claiming(Protocol):
    """The fields of a state that `Claims` reads and changes.

    Unless windows are answered in turn, the state has `said` as well, the answer of each seat or
    None: `secret(to=OWNER, back="?", choices=CLAIMS.words, fits=CLAIMS.said_fits)`.

    Attributes:
        hands: the roles in the hand of each seat, which `fits` may deal anew.
        lost: the roles that each seat has lost; they lie open.
        deck: the roles that are drawn.
        todo: what is still to do.
        claimed: the roles that each seat has claimed and not shown since it last drew by choice.
        caught: the roles that each seat was caught not to hold, since it last drew.
    """

    hands: list[list[str]]
    lost: list[list[str]]
    deck: list[str]
    todo: list[Todo]
    claimed: list[list[str]]
    caught: list[list[str]]


class Claims:
    """The deeds of a game, and all that follows from their being claimed.

    A turn puts a deed on `state.todo`, a window to block it above, and a window to doubt it on top.
    The first that objects counts, in the order of seats from the left of whoever claims. A lie is
    called off; a card that was doubted and shown is shuffled into the deck, and another one drawn
    by the stream `deck`. Whoever was wrong chooses a card to lose. A deed goes on although its
    actor or its aim has lost all cards.

    Args:
        deck: all cards of the game; it tells bots how many there are of each role.
        deeds: the deeds by their words.
        in_turn: whether windows are answered one after the other, for all to hear; by default all
            answer at the same time.

    Attributes:
        deeds: the deeds by their words.
        tasks: the words that `Todo.what` may be: the deeds, and what comes with them.
        words: the answers that may be said, for the `choices` of `said`.
    """

    def __init__(
        self, deck: Iterable[str], deeds: Mapping[str, Deed], *, in_turn: bool = False
    ) -> None:
        self._deck = list(deck)
        self._in_turn = in_turn
        self.deeds = dict(deeds)
        self.tasks: tuple[str, ...] = (*deeds, _BLOCK, _BLOCKED, _DOUBT, _LOSE)
        blocks = dict.fromkeys(
            f"{_BLOCK} {it}" for deed in deeds.values() for it in deed.blocked_by
        )
        self.words: tuple[str, ...] = (_PASSES, _DOUBT, *blocks)

    # The rules.

    def asked(self, state: Claiming) -> tuple[Seat, ...]:
        """Return the seats that are to answer, or to lose a card; none in between."""
        if self._in_turn:
            return asked(state.todo, in_turn=True)
        return asked(state.todo, said=_said(state))

    def acts(self, state: Claiming, seat: Seat, coins: int) -> list[Act]:
        """Return the deeds of a seat with so many coins, each with all it can be aimed at."""
        rivals = others(seat, state.hands)
        payable = {what: deed for what, deed in self.deeds.items() if deed.cost <= coins}
        return _aimed(seat, payable, rivals)

    def answers(self, state: Claiming, seat: Seat) -> list[Act | Say]:
        """Return how a seat that is asked can answer, to pass first; or the cards it can lose."""
        top = state.todo[-1]
        if top.what == _LOSE:
            return [Act(seat, _LOSE, role=role) for role in sorted(set(state.hands[seat]))]
        return [self._answer(seat, word) for word in self._answers_to(top)]

    def all_actions(self, seats: int) -> list[Act | Say]:
        """Return every action of so many seats, for `Game.all_actions`."""
        every: list[Act | Say] = []
        for seat in range(seats):
            every += _aimed(seat, self.deeds, [it for it in range(seats) if it != seat])
            every += [self._answer(seat, word) for word in self.words]
            every += [Act(seat, _LOSE, role=role) for role in dict.fromkeys(self._deck)]
        return every

    def cost(self, action: Any) -> int:
        """Return the coins that an action costs: the game takes them when it is played."""
        deed = self._deed(action)
        return deed.cost if deed else 0

    def aim(self, action: Any) -> Seat | None:
        """Return the seat that an action is aimed at, if any, for `CardTable.aim`."""
        return action.target if isinstance(action, Act) else None

    def play(
        self, state: Claiming, action: Act | Say, table: Table, do: Callable[[Todo], object]
    ) -> None:
        """Play an action, and have `do` carry out the deeds that nobody stops any more.

        `do` gets a deed as `Todo(what, by=seat, target=target)`, and other tasks that the game has
        put on the stack. Tells of `Doubted`, and of `Blocked` where the answers are not heard.
        """
        seat, todo = action.seat, state.todo
        if isinstance(action, Say):
            said = _said(state)
            said[seat] = action.word
            word = hear(todo, said, passing=_PASSES)
            if word is not None and (first := todo[-1].target) is not None:
                self._object(state, first, word, table)
        elif action.what in self.deeds:
            self._begin(state, action)
        elif action.what == _LOSE:
            _lose(state, seat, action.role)
        elif action.what == _PASSES:
            passes(todo, seat)
        else:
            self._object(state, seat, str(action), table)

        def carry_out(it: Todo) -> None:
            if it.what == _BLOCKED:
                todo.pop()  # the deed
            elif it.what not in (_DOUBT, _BLOCK):  # windows in which all have passed
                do(it)

        settle(todo, carry_out)

    def punish(self, state: Claiming, seat: Seat) -> None:
        """Have a seat lose a card of its choice, if it has one."""
        self._punish(state, seat)

    def _punish(self, state: Claiming, seat: Seat, doubter: Seat | None = None) -> None:
        if state.hands[seat]:
            state.todo.append(Todo(_LOSE, seat, (seat,), target=doubter))

    def pending(self, state: Claiming, names: Sequence[str]) -> list[str]:
        """Say what is still to be done, the deed first, for the note of a table.

        >>> claims = Claims(["cook"] * 6, {"dine": Deed("cook", aimed=True)})
        >>> class State:
        ...     todo = [Todo("dine", by=0, target=1)]
        ...     todo += [Todo("doubt", 0, seats=(1,), about="cook")]
        >>> claims.pending(State(), ["Ann", "Bo"])
        ['Ann: dine Bo', 'Ann claims cook']
        """
        return [_in_words(it, names) for it in state.todo]

    def drew(self, state: Claiming, seat: Seat) -> None:
        """Note that a seat has drawn by choice: what it claimed, and was caught at, is past."""
        state.claimed[seat].clear()
        state.caught[seat].clear()

    def said_fits(self, view: Claiming, seat: Watcher, owner: Seat, place: int, word: str) -> bool:
        """Say whether a word may be said in the window on top: the `fits` of `said`."""
        return word in self._answers_to(view.todo[-1])

    def _answers_to(self, window: Todo) -> Sequence[str]:
        if window.what == _DOUBT:
            return _PASSES, _DOUBT
        return _PASSES, *(f"{_BLOCK} {it}" for it in self.deeds[str(window.about)].blocked_by)

    def _deed(self, action: object) -> Deed | None:
        return self.deeds.get(action.what) if isinstance(action, Act) else None

    def _answer(self, seat: Seat, word: str) -> Act | Say:
        what, _, role = word.partition(" ")
        return Act(seat, what, role=role) if self._in_turn else Say(seat, word)

    def _begin(self, state: Claiming, act: Act) -> None:
        deed, target = self.deeds[act.what], act.target
        state.todo.append(Todo(act.what, act.seat, target=target))
        if deed.blocked_by:
            asks = others(act.seat, state.hands) if target is None else (target,)
            state.todo.append(Todo(_BLOCK, act.seat, asks, act.what, target))
        if deed.role:
            self._claim(state, act.seat, deed.role)

    def _claim(self, state: Claiming, seat: Seat, role: str) -> None:
        if role not in state.claimed[seat]:
            state.claimed[seat].append(role)
        state.todo.append(Todo(_DOUBT, seat, others(seat, state.hands), role))

    def _object(self, state: Claiming, seat: Seat, answer: str, table: Table) -> None:
        top, role = state.todo.pop(), answer.removeprefix(f"{_BLOCK} ")
        if answer == _DOUBT:
            self._show(state, top, seat, table)
            return
        state.todo.append(Todo(_BLOCKED, seat))
        self._claim(state, seat, role)
        if not self._in_turn:
            table.emit(Blocked(seat, role))

    def _show(self, state: Claiming, claim: Todo, doubter: Seat, table: Table) -> None:
        seat, role = claim.by, str(claim.about)
        lied = role not in state.hands[seat]
        table.emit(Doubted(doubter, seat, role, lied))
        state.claimed[seat].remove(role)
        if lied:
            state.caught[seat].append(role)
            call_off(state.todo, seat)
        else:
            redraw(state.hands[seat], role, state.deck, table.rng["deck"])
            state.caught[seat].clear()
        # Seats before the doubter have passed, so that the state shows who it was.
        self._punish(state, seat if lied else doubter, None if self._in_turn else doubter)

    # Bots.

    def role(self, action: Any) -> str:
        """Return the role that an action claims; empty for none."""
        word, _, role = str(action).partition(" ")
        deed = self._deed(action)
        return role if word == _BLOCK else deed.role if deed else ""

    def true(self, view: Claiming, actions: Sequence[A]) -> list[A]:
        """Return the actions of a seat that are no lies, for a bot that never lies."""
        return [it for it in actions if self.role(it) in ("", *_hand(view, it))]

    def policy(self, state: Claiming, actions: Sequence[A]) -> Sequence[A]:
        """Leave out what is foolish, as far as the seat that acts sees: a `policy` for bots.

        It doubts what cannot be. Both answers are left where a lie is likely, as all other cards of
        the role are seen or more roles are claimed than cards held; else it passes. It claims
        nothing of which all can see that it is a lie.
        """
        answers = {str(it): it for it in actions}
        if _DOUBT not in answers:
            return [it for it in actions if not self._is_open_lie(state, it)] or actions
        claim, hand = state.todo[-1], _hand(state, actions[0])
        by, role = claim.by, str(claim.about)
        unseen = self._left(state, role) - hand.count(role)
        if unseen == 0 or role in state.caught[by]:
            return [answers[_DOUBT]]
        many = len(state.claimed[by]) > len(state.hands[by])
        return actions if many or unseen == 1 else [answers[_PASSES]]

    def _left(self, state: Claiming, role: str) -> int:
        """Return how many cards of a role do not lie open."""
        return self._deck.count(role) - sum(lost.count(role) for lost in state.lost)

    def _is_open_lie(self, state: Claiming, action: Any) -> bool:
        role = self.role(action)
        if not role or role in _hand(state, action):
            return False
        return role in state.caught[action.seat] or not self._left(state, role)


def belief(state: Claiming, seat: Seat, lie: float = 0.2) -> float:
    """Say how likely hands are after what was claimed: a `belief` for bots.

    Args:
        state: a state that may be the true one.
        seat: the seat that imagines it.
        lie: how often a role is claimed without the card, to each time with it.
    """
    likely = 1.0
    for other, roles in enumerate(state.claimed):
        for role in roles:
            if other != seat and role not in state.hands[other]:
                likely *= lie
    return likely


def fits(view: Claiming, seat: Watcher, owner: Seat, place: int, role: str) -> bool:
    """Say whether a card can lie in a hand after what its owner was caught at: for `secret`."""
    return role not in view.caught[owner]


def _aimed(seat: Seat, deeds: Mapping[str, Deed], rivals: Sequence[Seat]) -> list[Act]:
    return [
        Act(seat, what, target)
        for what, deed in deeds.items()
        for target in (rivals if deed.aimed else (None,))
    ]


def _in_words(it: Todo, names: Sequence[str]) -> str:
    who, target = names[it.by], "" if it.target is None else f" {names[it.target]}"
    words = {
        _BLOCK: f"{join_words([names[seat] for seat in it.seats], 'or')} may block it",
        _BLOCKED: f"{who} blocks it",
        _DOUBT: f"{who} claims {it.about}",
        _LOSE: f"{who} loses a card",
    }
    return words.get(it.what, f"{who}: {it.what}{target}")


def _said(state: Any) -> list[str | None]:
    said: list[str | None] = state.said
    return said


def _hand(state: Claiming, action: Any) -> list[str]:
    return state.hands[action.seat]


def _lose(state: Claiming, seat: Seat, role: str) -> None:
    """Lay a card open. Who has lost the last one is asked nothing more."""
    passes(state.todo, seat)
    state.hands[seat].remove(role)
    state.lost[seat].append(role)
    if role in state.claimed[seat]:
        state.claimed[seat].remove(role)
    if state.hands[seat]:
        return
    todo = state.todo.copy()
    state.todo.clear()
    for it in todo:
        left = tuple(other for other in it.seats if other != seat)
        # What it began itself stays, as the block of another takes it off.
        if left or not it.seats:
            state.todo.append(replace(it, seats=left))
