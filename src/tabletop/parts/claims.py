"""Bluffing games: actions that claim a secret role, with challenges and blocks.

A game declares its deck and its actions, and implements the effect of each action. `Claims`
implements everything else: response windows for challenges and blocks, revealing a challenged card,
and losing a card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol, TypeVar

from tabletop.parts.flow import Pending, awaiting, cancel, record_answer, record_pass, resolve
from tabletop.rules.events import Event, Watcher, event
from tabletop.rules.game import Table
from tabletop.rules.turns import others
from tabletop.states.bounds import Seat
from tabletop.states.visibility import OWNER, secret
from tabletop.wording import join_words

A = TypeVar("A")

# Players type these words, and records contain them.
_PASSING: Final = "pass"
_CHALLENGE: Final = "doubt"
_BLOCK: Final = "block"
_BLOCKED: Final = "blocked"
_LOSE: Final = "lose"

_LABELS: Final = {_CHALLENGE: "challenge", _BLOCK: "block as", _LOSE: "lose the"}
"""The words of buttons that differ from the words that players type."""


@dataclass(frozen=True, slots=True)
class ClaimAction:
    """Declares an action that a seat may take on its turn.

    Attributes:
        role: The role that the action claims, or empty for an action that cannot be challenged.
        cost: The price in coins, paid even if the action is challenged or blocked.
        aimed: Whether the action has another seat as its target.
        blocked_by: The roles that block the action. The target may claim one of these roles. If
            there is no target, every other seat may.
    """

    role: str = ""
    cost: int = 0
    aimed: bool = False
    blocked_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TakeAction:
    """A public action: `rob 2`, `lose guard`, or an answer such as `block guard`.

    Attributes:
        seat: The seat that acts.
        what: The word of a declared action, or `pass`, `doubt` (to challenge), `block` or `lose`.
        target: The seat that the action is aimed at, or None.
        role: The role that is claimed to block, or the role of the card to lose.
    """

    seat: Seat
    what: str
    target: Seat | None = None
    role: str = ""

    def __str__(self) -> str:
        target = "" if self.target is None else str(self.target + 1)
        return " ".join(filter(None, (self.what, target, self.role)))


@dataclass(frozen=True, slots=True)
class Answer:
    """A secret answer in a window with simultaneous answers.

    Attributes:
        seat: The seat that answers.
        word: `pass`, `doubt` (to challenge), or a block such as `block guard`.
    """

    seat: Seat
    word: str = secret(to=OWNER, back="?")

    def __str__(self) -> str:
        return self.word


@event
class Blocked(Event):
    """A seat claims a role to block an action.

    Emitted only if windows are answered at the same time, because answers in turn are public.
    """

    seat: Seat
    role: str


@event
class Challenged(Event):
    """A seat has challenged a claim.

    If `lied` is false, the claimer has revealed the card and drawn a replacement.
    """

    seat: Seat
    claimer: Seat
    role: str
    lied: bool


class ClaimState(Protocol):
    """The state fields that `Claims` reads and changes.

    Unless windows are answered in turn, the state also needs a field `said` with the answer of each
    seat or None: `secret(to=OWNER, back="?", choices=CLAIMS.words, fits=CLAIMS.answer_fits)`.

    Attributes:
        hands: The roles in the hand of each seat. Declare the field with `fits` of this module.
        lost: The roles that each seat has lost, which are public.
        deck: The draw pile.
        todo: The stack of pending tasks, with the next task last.
        claimed: The roles that each seat has claimed but not revealed since the seat last chose to
            exchange cards.
        caught: The roles that each seat, since its last draw, was caught not holding.
    """

    hands: list[list[str]]
    lost: list[list[str]]
    deck: list[str]
    todo: list[Pending]
    claimed: list[list[str]]
    caught: list[list[str]]


class Claims:
    """The rules for claims, challenges and blocks of one game.

    An action pushes itself onto `state.todo`, then a window for blocks, then a window for
    challenges, so challenges are decided first. If several seats challenge or block, the first seat
    to the left of the claimer takes precedence. If the claim was false, the action is cancelled. If
    it was true, the revealed card is shuffled into the deck and the claimer draws a replacement
    from the random stream `deck`. The seat that was wrong chooses a card to lose. An action takes
    effect even if its actor or target has lost the last card in the meantime.

    Args:
        deck: All cards of the game, in which `policy` counts the cards of each role.
        actions: The declared actions by the words that players type.
        in_turn: Whether seats answer a window one after the other, in public. By default, all seats
            answer at the same time, in secret.

    Attributes:
        actions: The declared actions by the words that players type.
        tasks: All words that `Pending.what` may contain.
        words: All answers to windows, for the `choices` of the field `said`.
    """

    def __init__(
        self, deck: Iterable[str], actions: Mapping[str, ClaimAction], *, in_turn: bool = False
    ) -> None:
        self._deck = list(deck)
        self._in_turn = in_turn
        self.actions: dict[str, ClaimAction] = dict(actions)
        self.tasks: tuple[str, ...] = (*actions, _BLOCK, _BLOCKED, _CHALLENGE, _LOSE)
        blocks = dict.fromkeys(
            f"{_BLOCK} {role}" for spec in actions.values() for role in spec.blocked_by
        )
        self.words: tuple[str, ...] = (_PASSING, _CHALLENGE, *blocks)

    # For the rules of the game.

    def awaiting(self, state: ClaimState) -> tuple[Seat, ...]:
        """Return the seats that must answer or lose a card, or () if nothing is pending."""
        if self._in_turn:
            return awaiting(state.todo, in_turn=True)
        return awaiting(state.todo, answers=_answers(state))

    def turn_actions(self, state: ClaimState, seat: Seat, coins: int) -> list[TakeAction]:
        """Return the actions that a seat can pay for with `coins`, one for each possible target."""
        rivals = others(seat, state.hands)
        payable = {what: spec for what, spec in self.actions.items() if spec.cost <= coins}
        return _with_targets(seat, payable, rivals)

    def answers(self, state: ClaimState, seat: Seat) -> list[TakeAction | Answer]:
        """Return the legal answers of an awaited seat, `pass` first, or the cards it can lose."""
        top = state.todo[-1]
        if top.what == _LOSE:
            return [TakeAction(seat, _LOSE, role=role) for role in sorted(set(state.hands[seat]))]
        return [self._answer(seat, word) for word in self._answers_to(top)]

    def passing(self, state: ClaimState, seat: Seat) -> TakeAction | Answer | None:
        """Return the action with which a seat passes in a window, for `Game.passing`, or None."""
        is_window = bool(state.todo) and state.todo[-1].what in (_CHALLENGE, _BLOCK)
        return self._answer(seat, _PASSING) if is_window else None

    def all_actions(self, seats: int) -> list[TakeAction | Answer]:
        """Return every possible action in a match with `seats` seats, for `Game.all_actions`."""
        every: list[TakeAction | Answer] = []
        for seat in range(seats):
            rivals = [other for other in range(seats) if other != seat]
            every += _with_targets(seat, self.actions, rivals)
            every += [self._answer(seat, word) for word in self.words]
            every += [TakeAction(seat, _LOSE, role=role) for role in dict.fromkeys(self._deck)]
        return every

    def cost(self, action: Any) -> int:
        """Return the price of an action in coins. The game subtracts it in `apply`."""
        spec = self._spec(action)
        return spec.cost if spec else 0

    def aim(self, action: Any) -> Seat | None:
        """Return the seat that an action is aimed at, or None, for `CardTable.aim`."""
        return action.target if isinstance(action, TakeAction) else None

    def play(
        self,
        state: ClaimState,
        action: TakeAction | Answer,
        table: Table,
        do: Callable[[Pending], object],
    ) -> None:
        """Play an action, and call `do` for each task that can no longer be blocked.

        Emits `Challenged`, and `Blocked` if windows are answered at the same time.

        Args:
            state: The state, which is changed in place.
            action: The action to play.
            table: The table of `Game.apply`.
            do: Carries out an action, as `Pending(what, by=seat, target=target)`. It is also called
                with tasks that the game itself has pushed on `state.todo`.
        """
        seat, todo = action.seat, state.todo
        if isinstance(action, Answer):
            answers = _answers(state)
            answers[seat] = action.word
            word = record_answer(todo, answers, passing=_PASSING)
            if word is not None and (first := todo[-1].target) is not None:
                self._object(state, first, word, table)
        elif action.what in self.actions:
            self._begin(state, action)
        elif action.what == _LOSE:
            _lose(state, seat, action.role)
        elif action.what == _PASSING:
            record_pass(todo, seat)
        else:
            self._object(state, seat, str(action), table)

        def carry_out(task: Pending) -> None:
            if task.what == _BLOCKED:
                todo.pop()  # the blocked action
            elif task.what not in (_CHALLENGE, _BLOCK):  # windows in which every seat has passed
                do(task)

        resolve(todo, carry_out)

    def punish(self, state: ClaimState, seat: Seat) -> None:
        """Make a seat lose a card of its choice, if it has one."""
        self._punish(state, seat)

    def _punish(self, state: ClaimState, seat: Seat, challenger: Seat | None = None) -> None:
        if state.hands[seat]:
            state.todo.append(Pending(_LOSE, seat, (seat,), target=challenger))

    def describe_pending(self, state: ClaimState, names: Sequence[str]) -> list[str]:
        """Describe the pending tasks in words, oldest first, for `CardTable.note`.

        >>> dine = ClaimAction("cook", aimed=True)
        >>> claims = Claims(["cook"] * 6, {"dine": dine})
        >>> class State:
        ...     todo = [Pending("dine", by=0, target=1)]
        ...     todo += [Pending("doubt", 0, seats=(1,), about="cook")]
        >>> claims.describe_pending(State(), ["Ann", "Bo"])
        ["Ann's action: dine Bo", 'Ann claims to be the cook']
        """
        return [_in_words(task, names) for task in state.todo]

    def question(self, state: ClaimState, names: Sequence[str]) -> str:
        """Return the question to the player who is to act, for `TextView.asked`.

        For example, "Ann claims to be the cook. Challenge?"
        """
        if not state.todo:
            return "Choose an action"
        top = state.todo[-1]
        if top.what == _LOSE:
            return "Choose a card to lose"
        if top.what == _CHALLENGE:
            return f"{_in_words(top, names)}. Challenge?"
        return f"{names[top.by]} chooses {top.about}. Block it?"

    def label(self, action: Any, names: Sequence[str]) -> str:
        """Return the label of an action's button, for `Picture.label`.

        >>> dine = ClaimAction("cook", aimed=True)
        >>> claims = Claims(["cook"] * 6, {"dine": dine})
        >>> claims.label(TakeAction(0, "dine", target=1), ["Ann", "Bo"])
        'Dine Bo'
        >>> claims.label(Answer(1, "doubt"), ["Ann", "Bo"])
        'Challenge'
        """
        words = str(action).split()
        if (aim := self.aim(action)) is not None:
            words[words.index(str(aim + 1))] = names[aim]
        words[0] = _LABELS.get(words[0], words[0])
        text = " ".join(words)
        return text[0].upper() + text[1:]

    def record_draw(self, state: ClaimState, seat: Seat) -> None:
        """Clear the recorded claims of a seat that has exchanged cards by choice."""
        state.claimed[seat].clear()
        state.caught[seat].clear()

    def answer_fits(
        self, view: ClaimState, seat: Watcher, owner: Seat, place: int, word: str
    ) -> bool:
        """Return whether a word is a legal answer in the current window.

        Use this method as `fits` of `said`.
        """
        return word in self._answers_to(view.todo[-1])

    def _answers_to(self, window: Pending) -> Sequence[str]:
        if window.what == _CHALLENGE:
            return _PASSING, _CHALLENGE
        blocks = self.actions[str(window.about)].blocked_by
        return _PASSING, *(f"{_BLOCK} {role}" for role in blocks)

    def _spec(self, action: object) -> ClaimAction | None:
        return self.actions.get(action.what) if isinstance(action, TakeAction) else None

    def _answer(self, seat: Seat, word: str) -> TakeAction | Answer:
        what, _, role = word.partition(" ")
        return TakeAction(seat, what, role=role) if self._in_turn else Answer(seat, word)

    def _begin(self, state: ClaimState, action: TakeAction) -> None:
        spec, target = self.actions[action.what], action.target
        state.todo.append(Pending(action.what, action.seat, target=target))
        if spec.blocked_by:
            blockers = others(action.seat, state.hands) if target is None else (target,)
            state.todo.append(Pending(_BLOCK, action.seat, blockers, action.what, target))
        if spec.role:
            self._claim(state, action.seat, spec.role)

    def _claim(self, state: ClaimState, seat: Seat, role: str) -> None:
        if role not in state.claimed[seat]:
            state.claimed[seat].append(role)
        state.todo.append(Pending(_CHALLENGE, seat, others(seat, state.hands), role))

    def _object(self, state: ClaimState, seat: Seat, answer: str, table: Table) -> None:
        top, role = state.todo.pop(), answer.removeprefix(f"{_BLOCK} ")
        if answer == _CHALLENGE:
            self._reveal(state, top, seat, table)
            return
        state.todo.append(Pending(_BLOCKED, seat))
        self._claim(state, seat, role)
        if not self._in_turn:
            table.emit(Blocked(seat, role))

    def _reveal(self, state: ClaimState, claim: Pending, challenger: Seat, table: Table) -> None:
        seat, role = claim.by, str(claim.about)
        lied = role not in state.hands[seat]
        table.emit(Challenged(challenger, seat, role, lied))
        state.claimed[seat].remove(role)
        if lied:
            state.caught[seat].append(role)
            cancel(state.todo, seat)
        else:
            state.hands[seat].remove(role)
            state.deck.append(role)
            table.rng["deck"].shuffle(state.deck)
            state.hands[seat].append(state.deck.pop())
            state.caught[seat].clear()
        # With secret answers, the players know from the challenge that all seats before the
        # challenger have passed. The task names the challenger so that the state contains this.
        self._punish(state, seat if lied else challenger, None if self._in_turn else challenger)

    # For bots.

    def role(self, action: Any) -> str:
        """Return the role that an action or a block claims, or an empty string."""
        word, _, role = str(action).partition(" ")
        spec = self._spec(action)
        return role if word == _BLOCK else spec.role if spec else ""

    def honest(self, view: ClaimState, actions: Sequence[A]) -> list[A]:
        """Return the actions without false claims.

        The acting seat holds every role that they claim.
        """
        return [action for action in actions if self.role(action) in ("", *_hand(view, action))]

    def policy(self, state: ClaimState, actions: Sequence[A]) -> Sequence[A]:
        """Return the reasonable actions: a `policy` for bots.

        The function uses only information of the acting seat. A claim that must be false is always
        challenged. A claim is doubtful if only one card of the role is unseen, or if the claimer
        has claimed more roles than it has cards. For a doubtful claim, all answers are reasonable.
        All other claims are accepted. For the seat's own claims, the function omits those that
        every player can recognise as false.
        """
        answers = {str(action): action for action in actions}
        if _CHALLENGE not in answers:
            return [action for action in actions if not self._is_open_lie(state, action)] or actions
        claim, hand = state.todo[-1], _hand(state, actions[0])
        by, role = claim.by, str(claim.about)
        unseen = self._not_lost(state, role) - hand.count(role)
        if unseen == 0 or role in state.caught[by]:
            return [answers[_CHALLENGE]]
        many = len(state.claimed[by]) > len(state.hands[by])
        return actions if many or unseen == 1 else [answers[_PASSING]]

    def _not_lost(self, state: ClaimState, role: str) -> int:
        """Return the number of cards of a role that are in hands or in the deck."""
        return self._deck.count(role) - sum(lost.count(role) for lost in state.lost)

    def _is_open_lie(self, state: ClaimState, action: Any) -> bool:
        """Return whether every player can see that a claim is false."""
        role = self.role(action)
        if not role or role in _hand(state, action):
            return False
        return role in state.caught[action.seat] or not self._not_lost(state, role)


def belief(state: ClaimState, seat: Seat, lie: float = 0.2) -> float:
    """Return how likely the hands in `state` are, given all claims: a `belief` for bots.

    Args:
        state: A state that may be the true one.
        seat: The seat of the bot.
        lie: Factor for each claim of another seat that does not hold the card. The default 0.2
            assumes five true claims for every false claim.
    """
    likelihood = 1.0
    for other, roles in enumerate(state.claimed):
        for role in roles:
            if other != seat and role not in state.hands[other]:
                likelihood *= lie
    return likelihood


def fits(view: ClaimState, seat: Watcher, owner: Seat, place: int, role: str) -> bool:
    """Return whether a seat may hold a role, given `caught`. Use this as `fits` of `secret`."""
    return role not in view.caught[owner]


def _with_targets(
    seat: Seat, specs: Mapping[str, ClaimAction], rivals: Sequence[Seat]
) -> list[TakeAction]:
    return [
        TakeAction(seat, what, target)
        for what, spec in specs.items()
        for target in (rivals if spec.aimed else (None,))
    ]


def _in_words(task: Pending, names: Sequence[str]) -> str:
    name, target = names[task.by], "" if task.target is None else f" {names[task.target]}"
    words = {
        _BLOCK: f"{join_words([names[seat] for seat in task.seats], 'or')} may block it",
        _BLOCKED: f"{name} blocks it",
        _CHALLENGE: f"{name} claims to be the {task.about}",
        _LOSE: f"{name} loses a card",
    }
    return words.get(task.what, f"{name}'s action: {task.what}{target}")


def _answers(state: Any) -> list[str | None]:
    answers: list[str | None] = state.said
    return answers


def _hand(state: ClaimState, action: Any) -> list[str]:
    return state.hands[action.seat]


def _lose(state: ClaimState, seat: Seat, role: str) -> None:
    """Reveal a card. A seat that has lost its last card is removed from all windows."""
    record_pass(state.todo, seat)
    state.hands[seat].remove(role)
    state.lost[seat].append(role)
    if role in state.claimed[seat]:
        state.claimed[seat].remove(role)
    if state.hands[seat]:
        return
    tasks = state.todo.copy()
    state.todo.clear()
    for task in tasks:
        remaining = tuple(other for other in task.seats if other != seat)
        # Tasks that await nobody stay, also those of this seat, because a block pops the action
        # below it.
        if remaining or not task.seats:
            state.todo.append(replace(task, seats=remaining))
