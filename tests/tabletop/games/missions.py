"""A game in which spies with hidden roles win against the loyal players, or the other way round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

from tabletop import Game, Options, Outcome, Seat, State, Streams, Table, state
from tabletop.states import PER_SEAT, Range

Role: TypeAlias = Literal["assassin", "spy", "seer", "guard"]
SPIES = {"assassin", "spy"}


@state
class Missions(State):
    """The role of each seat, the number of turns played, and the number of failed missions."""

    roles: Annotated[list[Role], PER_SEAT]
    turns: Annotated[int, Range(0, 10)] = 0
    failures: Annotated[int, Range(0, 4)] = 0


class MissionGame(Game[Missions, str]):
    """Each player acts twice. Spies win if three of their actions are `fail`."""

    name = "missions"
    seats = range(3, 6)
    factions: tuple[str, ...] = ("spies", "loyal")

    def setup(self, options: Options, seats: int, rng: Streams) -> Missions:
        roles: list[Role] = ["assassin", "spy", "seer"]
        roles += ["guard"] * (seats - 3)
        rng["roles"].shuffle(roles)
        return Missions(roles)

    def to_act(self, state: Missions) -> Sequence[Seat]:
        seats = len(state.roles)
        return (state.turns % seats,) if state.turns < 2 * seats else ()

    def legal_actions(self, state: Missions, seat: Seat) -> Sequence[str]:
        return ("help", "fail")

    def all_actions(self, options: Options, seats: int) -> Sequence[str]:
        return ("help", "fail")

    def apply(self, state: Missions, action: str, table: Table) -> None:
        is_spy = state.roles[state.turns % len(state.roles)] in SPIES
        state.failures += is_spy and action == "fail"
        state.turns += 1

    def outcome(self, state: Missions) -> Outcome | None:
        if self.to_act(state):
            return None
        spies = [seat for seat, role in enumerate(state.roles) if role in SPIES]
        loyal = [seat for seat in range(len(state.roles)) if seat not in spies]
        if state.failures >= 3:
            teams, names, reason = (spies, loyal), ("spies", "loyal"), "three failures"
        else:
            teams, names, reason = (loyal, spies), ("loyal", "spies"), "few failures"
        return Outcome.teams(*teams, names=names, roles=state.roles, reason=reason)


GAME = MissionGame()
