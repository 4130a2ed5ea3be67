"""The messages from a table to its clients, whose names end in `Out`, and the parts of them."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType

from tabletop.protocol.incoming import PROTOCOL
from tabletop.protocol.settings import TableSettings
from tabletop.states.bounds import Seat
from tabletop.wording import several_in_words

Reason: TypeAlias = Literal[
    "invalid", "words", "illegal", "refused", "record", "failed", "token", "stopped", "busy"
]
"""Reason of a refusal.

- `invalid`: The message is not a message of this protocol.
- `words`: The text does not describe an action.
- `illegal`: The rules do not allow the action now, or it is not the seat's turn.
- `refused`: This table or this server does not allow the request, at least not to this client.
- `record`: The table cannot save the action at the moment. Nothing has changed.
- `failed`: The rules of the game raised an error. Nothing has changed.
- `token`: The link is not valid.
- `stopped`: The table waits until its host intervenes.
- `busy`: The server has no capacity at the moment. The client may try again later.
"""


class _Out(Struct, frozen=True, tag_field="type"):
    """The base of messages to a client."""


class _Answer(_Out, frozen=True):
    """The base of answers.

    Attributes:
        id: The `id` of the request.
    """

    id: int


class BotOut(Struct, frozen=True):
    """A bot for a seat.

    Attributes:
        name: The name of the bot in requests.
        group: Its heading in a list of bots.
        label: What people call it, such as `Medium bot`.
    """

    name: str
    group: str
    label: str


class HoldOut(Struct, frozen=True):
    """The reason why a table waits. Clients show it until the table continues.

    Attributes:
        text: The reason, such as `The clocks are paused`.
        kind: The proposal that ends it (`ProposeIn.kind`), or empty if there is none.
        label: The text of the button for the proposal.
    """

    text: str
    kind: str = ""
    label: str = ""


class TableOut(_Out, frozen=True, tag="table"):
    """The seats and players of a table. It is the first message, and is sent after each change.

    Attributes:
        game: The name of the game.
        title: The title of the game.
        version: The version of the rules.
        names: The names of the seats.
        seat_titles: The names as the game writes them, such as `Ada (Blue)`.
        players: The player of each seat: "human", or the name of a bot.
        player_labels: What people call the bot of each seat, such as `Medium bot`. Empty for a
            person.
        your_seats: The seats that this connection decides for.
        protocol: The version of the protocol that the server uses.
        options: The options of the match, sent only to a bot of the host, because they may contain
            decks. Other clients receive them at the end in `OverOut`.
        spectator: Whether the connection has no seat.
        bots: The bots that can play for a seat, in groups.
        present: For each seat, whether its player is connected. True for a bot.
        spectator_count: The number of spectators.
        replaceable: The seats that the others may give to a bot, because their players have been
            away for a long time or have not acted during the idle timeout.
        lost: The seats that have resigned or whose time is up, so that a bot plays on for them if
            the match continues. Their players cannot take them back.
        settings: The settings of the table. `chat` is false if there is only one person.
        free_undo: Whether undo never needs consent.
        clock: The seconds that each seat has left. None for a seat without a clock.
        running: The seats whose clocks run.
        hold: The reason why the clocks and the bots wait, or None while they do not.
        commitment: The commitment to the seed and the secret salt. None without a salt.
        hosted: Whether there is a lobby, so that the same people can play again.
        hints: Whether players may request hints.
        rules: Whether the rules of the game can be requested.
        thinking: A text about the bot that is thinking now, or empty.
        spectator_path: The path of the page for spectators, or empty if players may not have it.
        invitation: The path of the invitation while seats are free that people can take with it.
            Otherwise empty, as for spectators.
        commands: The usage of the commands that `AskIn` enters.
    """

    game: str
    title: str
    version: str
    names: tuple[str, ...]
    seat_titles: tuple[str, ...]
    players: tuple[str, ...]
    your_seats: tuple[Seat, ...]
    protocol: int = PROTOCOL
    player_labels: tuple[str, ...] = ()
    options: dict[str, int | float | str | bool | None] = {}
    spectator: bool = False
    bots: tuple[BotOut, ...] = ()
    present: tuple[bool, ...] = ()
    spectator_count: int = 0
    replaceable: tuple[Seat, ...] = ()
    lost: tuple[Seat, ...] = ()
    settings: TableSettings = TableSettings(chat=False, idle_timeout=None)
    free_undo: bool = False
    clock: tuple[float | None, ...] = ()
    running: tuple[Seat, ...] = ()
    hold: HoldOut | None = None
    commitment: str | None = None
    hosted: bool = False
    hints: bool = False
    rules: bool = False
    thinking: str = ""
    spectator_path: str = ""
    invitation: str = ""
    commands: tuple[str, ...] = ()


class DataOut(Struct, frozen=True):
    """An action or an event as data: the name of its class, and its fields as JSON.

    `tabletop schema` describes both.
    """

    type: str
    value: Any


class ItemOut(Struct, frozen=True):
    """An item of which a player may choose several.

    Attributes:
        words: The word of the item in the line.
        label: The text of its button.
        path: The part of the picture to click for it, or empty if there is none.
    """

    words: str
    label: str
    path: tuple[str, ...]


class SeveralOut(Struct, frozen=True):
    """Items of which a player chooses several, in any order.

    Attributes:
        low: The minimum number of items.
        high: The maximum number of items.
        items: The items. Equal items are listed once for each copy.
    """

    low: int
    high: int
    items: tuple[ItemOut, ...]

    def in_words(self, words: str) -> str:
        """Describe the choice in a line that starts with the words of the action."""
        return several_in_words(words, self.low, self.high, [item.words for item in self.items])


class ChoiceOut(Struct, frozen=True):
    """A legal action, or all legal actions that choose several of the same items.

    Attributes:
        words: The text to send in `ActIn.line`.
        label: The text of its button, or at a terminal the words that a player may type for it.
        path: The parts of the picture to click for it, in this order. Empty if it has none.
        seat: The seat that can play the action.
        action: The action as data, if the client requested data and it does not choose items.
        hint: An explanation of the action in a few words, for a terminal. May be empty.
        several: The items to choose from, if there are any. `ActIn.line` then contains `words`,
            followed by the words of the chosen items. Absent in other choices.
    """

    words: str
    label: str
    path: tuple[str, ...]
    seat: Seat
    action: DataOut | None = None
    hint: str = ""
    several: SeveralOut | UnsetType = UNSET

    def in_words(self) -> str:
        """Describe the choice in a line for a language model, with its words in brackets."""
        words = f"[{self.words}]"
        if self.several is not UNSET:
            return self.several.in_words(words)
        return words if self.label == self.words else f"{words} {self.label}"


class ProposalOut(Struct, frozen=True):
    """Something that a player can propose to the others (`ProposeIn`).

    Attributes:
        kind: The name in `ProposeIn.kind`, and at a terminal the word for it.
        label: The text of its button.
        help: Its effect, in a sentence.
    """

    kind: str
    label: str
    help: str


class OverOut(Struct, frozen=True):
    """The outcome of a match, and links to continue with.

    Attributes:
        text: The outcome in words.
        winners: The winning seats.
        points: The points of each seat. Empty if all seats win or lose together.
        reason: The reason why the match ended, in words. May be empty.
        outcome: The whole outcome as data: `ranking`, `reason`, `abandoned`, `points` and `best`,
            and in games with teams or roles `factions` and `roles`.
        seed: The seed. Empty for a bot of the host, whose other matches may have the same seed.
        options: The options that differ from their defaults.
        option_labels: The labels of these options.
        command: The command that plays the same setup again.
        salt: The secret salt of the seed, or None.
        replay_page: The path of the page that replays the match.
        next_table: The path of the table where the same people play again, with the token of the
            client after `#`. Without a token in the path, the present token is valid there.
    """

    text: str
    winners: tuple[Seat, ...] = ()
    points: tuple[int | float, ...] = ()
    reason: str = ""
    outcome: Any = None
    seed: str = ""
    options: dict[str, int | float | str | bool | None] = {}
    option_labels: dict[str, str] = {}
    command: str = ""
    salt: str | None = None
    replay_page: str | None = None
    next_table: str | None = None


class StateOut(_Out, frozen=True, tag="state"):
    """The position as one seat sees it, sent after each change.

    Attributes:
        ply: The number of actions played so far.
        seat: The seat whose view it is. None for a spectator.
        turn: The seats that are to act.
        your_turn: The seats to act that this connection decides for.
        prompt: The question of the game, in words. For a terminal, the prompt of a line if
            `your_turn` is not empty.
        choices: The legal actions of `your_turn`.
        more_choices: The number of legal actions that are not in `choices`.
        can_undo: Whether this connection may undo, or may ask the others to undo.
        can_redo: Whether this connection may redo.
        undo_refusal: The reason why nothing can be undone. Empty if it is obvious.
        commands: The usage of the commands.
        log_line: The number of the last line of the log up to this position.
        over: The end of the match. None before.
        deadline: The seconds left to act. None without a limit.
        text: The position in words. For a terminal, the text above the prompt, which may be empty.
            It stays the same until the position changes.
        svg: The picture. Empty if the client requested none.
        view: The information of the seat about the state, as JSON, if the client requested data.
        revision: The number of the position. It grows with each change, undo included, and never
            repeats. 0 for a bot program, whose answers do not need it.
        news: For a terminal, a text about the events since the last state. May be empty.
        numbered: For a terminal, the number of `choices` that `text` lists with their numbers.
        covered: The seat whose person has to sit down at this screen first (`SitIn`), or None.
            Until then, the state has no information of the seat and no choices.
        lessons: The sentences of the tutorial that apply now, the most important first, if the
            client requested them and is to act.
        can_resign: The seats of this connection that can resign.
        proposals: What this connection can propose to the other players now.
        passes: Whether a seat of this connection passes until the end of the turn (`PassIn`). None
            if no seat does, and none is asked for a reaction.
    """

    ply: int
    seat: Seat | None
    turn: tuple[Seat, ...]
    your_turn: tuple[Seat, ...] = ()
    prompt: str = ""
    choices: tuple[ChoiceOut, ...] = ()
    more_choices: int = 0
    can_undo: bool = False
    can_redo: bool = False
    undo_refusal: str = ""
    commands: tuple[str, ...] = ()
    log_line: int = 0
    over: OverOut | None = None
    deadline: float | None = None
    text: str = ""
    svg: str = ""
    view: Any = None
    revision: int = 0
    news: str = ""
    numbered: int = 0
    covered: Seat | None = None
    lessons: tuple[str, ...] = ()
    can_resign: tuple[Seat, ...] = ()
    proposals: tuple[ProposalOut, ...] = ()
    passes: bool | None = None


Pieces: TypeAlias = tuple[Any, ...]
"""A text or a list that consists of pieces of an earlier one. See `tabletop.protocol.pieces_of`."""


class ChangesOut(_Out, frozen=True, tag="changes"):
    """The changes from the last state of this connection to the next one.

    Attributes:
        fields: The fields with new values.
        pieces: The fields with partly new values: `svg`, `text` and `choices`.
    """

    fields: dict[str, Any]
    pieces: dict[str, Pieces]


class PastOut(_Answer, frozen=True, tag="past"):
    """The answer to `LookIn`: an earlier position, as this connection saw it then.

    Attributes:
        ply: The number of actions played at the position, without undone actions.
        text: The position in words.
        svg: The picture, which cannot be clicked. Empty if the client requested none.
        view: The information of the seat about the state, as JSON, if the client requested data.
        log_line: The number of the last line of the log up to that position. 0 if it is not stored
            any more.
    """

    ply: int
    text: str = ""
    svg: str = ""
    view: Any = None
    log_line: int = 0


class LineOut(Struct, frozen=True):
    """A line of the log.

    Attributes:
        number: The number of the line. Later lines have higher numbers.
        text: The text. Empty for an event that the game does not put into words.
        seat: The seat that acted or sent a message, or whose turn begins. None for other lines.
        kind: "turn" for the heading of a turn, "remark" for a line about the table, "chat" for a
            chat message, otherwise empty.
        ply: The number of actions played before.
        event: The event as data, if the client requested data.
    """

    number: int
    text: str
    seat: Seat | None = None
    kind: str = ""
    ply: int = 0
    event: DataOut | None = None


class LogOut(_Out, frozen=True, tag="log"):
    """New lines of the log, without information that is hidden from this connection."""

    lines: tuple[LineOut, ...]


class DoneOut(_Answer, frozen=True, tag="done"):
    """A request was carried out."""


class RefusedOut(_Answer, frozen=True, tag="refused"):
    """A request was refused. Nothing has changed."""

    reason: Reason
    message: str


class ExplainOut(_Answer, frozen=True, tag="why"):
    """The answer to `ExplainIn`."""

    message: str


class HintOut(_Answer, frozen=True, tag="hint"):
    """The answer to `HintIn`: the action that a bot would play.

    Attributes:
        seat: The seat of the hint.
        words: The action as a text. Empty if the position has changed since the request.
        confidence: The bot's estimate of the action, in words. Empty if it has none.
        reasons: Lines with the reasons for the action, and the bot's opinion of other actions.
    """

    seat: Seat
    words: str = ""
    confidence: str = ""
    reasons: tuple[str, ...] = ()


class RulesOut(_Answer, frozen=True, tag="rules"):
    """The answer to `RulesIn`: the rules of the game as Markdown."""

    text: str


class TextOut(_Answer, frozen=True, tag="text"):
    """The answer to `AskIn`.

    Attributes:
        text: The text, which may be empty, or the content of a file.
        numbered: The number of legal actions that the text lists with their numbers.
        line: A command of every table that the client is asked to carry out, such as `bot hard 2`,
            or empty.
        file: The name of a file to write for the person, or empty.
    """

    text: str
    numbered: int = 0
    line: str = ""
    file: str = ""


class TopicOut(Struct, frozen=True):
    """Commands that `help` explains together.

    Attributes:
        title: The title, or empty.
        rows: The usage and the effect of each command.
        note: Further information, or empty.
    """

    title: str
    rows: tuple[tuple[str, str], ...] = ()
    note: str = ""


class HelpOut(_Answer, frozen=True, tag="help"):
    """The answer to `HelpIn`: the topics, starting with the commands that are possible now."""

    topics: tuple[TopicOut, ...]


class SamplesOut(_Answer, frozen=True, tag="samples"):
    """The answer to `SampleIn`: complete states as JSON, drawn from the knowledge of the seat.

    If nothing is hidden, each of them is the real state.
    """

    seat: Seat
    states: tuple[Any, ...]


class ConsentOut(_Out, frozen=True, tag="consent"):
    """An open request that other players must agree to, or the end of such a request.

    Attributes:
        seat: The seat that made the request.
        name: The names of the players who made the request. In a request of the client's own
            (`yours`), the names of the players who must answer.
        kind: The kind of the request: "undo", or a `ProposalOut.kind`. Empty when no request is
            open.
        aim: The effect of the request in words, such as `undo 2 actions`. Empty at the end.
        actions: The number of actions to undo. 0 in a request of another kind, and at the end.
        yours: Whether the client itself made the request.
        reason: The reason why the request has ended, or empty.
        ends: Whether consent ends the match. Bots in the seats of people agree to all other
            requests.
    """

    seat: Seat
    name: str
    kind: str = ""
    aim: str = ""
    actions: int = 0
    yours: bool = False
    reason: str = ""
    ends: bool = False


class NoteOut(_Out, frozen=True, tag="note"):
    """A short message about the table."""

    text: str


class ErrorOut(_Out, frozen=True, tag="error"):
    """An error. The server closes the connection after it."""

    message: str
    reason: Reason = "invalid"


MessageOut: TypeAlias = (
    TableOut
    | StateOut
    | ChangesOut
    | PastOut
    | LogOut
    | DoneOut
    | RefusedOut
    | ExplainOut
    | HintOut
    | RulesOut
    | TextOut
    | HelpOut
    | SamplesOut
    | ConsentOut
    | NoteOut
    | ErrorOut
)
"""All messages that the server can send."""

_ENCODER: Final = msgspec.json.Encoder()


def encode(message: Struct) -> str:
    """Return a message as the text to send."""
    return _ENCODER.encode(message).decode("utf-8", "replace")
