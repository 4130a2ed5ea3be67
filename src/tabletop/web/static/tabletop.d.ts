// The types of tabletop.js, which says what all of it does. Those of messages are described in the reference of
// the protocol as well.

/** The version of the protocol that it speaks. */
export const PROTOCOL: number;

/** What can be listened to; see `Table.on`. */
export const EVENTS: readonly EventName[];

/** The tables of this page that have not been left, the first one first. */
export const tables: ReadonlySet<Table>;

/** The mark of the message by which a frame asks the page around it for a table. */
export const FRAME_MARK: string;

export interface Options {
  /** The picture that each state contains; none by default. */
  picture?: Picture;
  /** Whether views, actions and events are sent as data; true by default. */
  data?: boolean;
}

export type Picture = "" | "wide" | "narrow" | "small" | "landscape";

/** What has changed since the last state. */
export interface Changed {
  /** The names of the fields of the state that differ. */
  fields: string[];
  /** The names of those of its view. */
  view: string[];
  /** The lines of the log since. */
  lines: LineOut[];
}

/** What each ear is given. */
export interface Events {
  table: [table: TableOut];
  state: [state: StateOut, before: StateOut | null, changed: Changed];
  log: [lines: LineOut[]];
  note: [note: NoteOut];
  consent: [consent: ConsentOut];
  connected: [];
  lost: [lost: { seconds: number; message: string }];
  ended: [ended: { message: string; reason: Reason | "gone" }];
}

export type EventName = keyof Events;

/** Something was not done: refused by the table, not sent for want of a connection, or lost on its way. */
export class TableError extends Error {
  constructor(message: string, reason: Reason | "unsent" | "lost");
  readonly reason: Reason | "unsent" | "lost";
}

/** Sit down at a table; the default is the table of this page. */
export function connect(link?: string | URL | Location, options?: Options): Table;

/** A table, as one link shows it. Every promise may be broken with a `TableError`. */
export class Table {
  private constructor();
  readonly info: TableOut | null;
  readonly state: StateOut | null;
  readonly lines: LineOut[];
  readonly connected: boolean;
  on<Name extends EventName>(name: Name, ear: (...what: Events[Name]) => void): () => void;
  /** Send any request. Its promise resolves to the message that answers it, if the request is a question. */
  request<Type extends keyof Requests>(type: Type, ...fields: {} extends Requests[Type] ? [Requests[Type]?] : [Requests[Type]]): Promise<any>;
  act(choice: string | ChoiceOut, more?: { seat?: number; revision?: number }): Promise<void>;
  undo(): Promise<void>;
  redo(): Promise<void>;
  consent(yes: boolean, more?: { kind?: string }): Promise<void>;
  hint(): Promise<HintOut>;
  explain(part: string, chosen?: string[]): Promise<string>;
  say(text: string): Promise<void>;
  look(ply: number): Promise<PastOut>;
  rules(): Promise<string>;
  enter(line: string): Promise<TextOut>;
  help(): Promise<TopicOut[]>;
  propose(kind: string): Promise<void>;
  resign(more?: { seat?: number }): Promise<void>;
  reseat(seat: number, player: string): Promise<void>;
  playAgain(): Promise<void>;
  layout(picture: Picture): void;
  openNext(): void;
  linkTo(page: string): string;
  retry(): void;
  close(): void;
  share(port: MessagePort): void;
}

// Below: made by tools/message_types.py.

/** Why something was refused. */
export type Reason = "invalid" | "words" | "illegal" | "refused" | "record" | "failed" | "token" | "stopped" | "busy";

/** The seats and players of a table. It is the first message, and is sent after each change. */
export interface TableOut {
  type: "table";
  /** The name of the game. */
  game: string;
  /** The title of the game. */
  title: string;
  /** The version of the rules. */
  version: string;
  /** The names of the seats. */
  names: string[];
  /** The names as the game writes them, such as `Ada (Blue)`. */
  seat_titles: string[];
  /** The player of each seat: "human", or the name of a bot. */
  players: string[];
  /** The seats that this connection decides for. */
  your_seats: number[];
  /** The version of the protocol that the server uses. */
  protocol: number;
  /** What people call the bot of each seat, such as `Medium bot`. Empty for a person. */
  player_labels: string[];
  /** The options of the match, sent only to a bot of the host, because they may contain decks. Other clients receive them at the end in `OverOut`. */
  options: { [name: string]: number | string | boolean | null };
  /** Whether the connection has no seat. */
  spectator: boolean;
  /** The bots that can play for a seat, in groups. */
  bots: BotOut[];
  /** For each seat, whether its player is connected. True for a bot. */
  present: boolean[];
  /** The number of spectators. */
  spectator_count: number;
  /** The seats that the others may give to a bot, because their players have been away for a long time or have not acted during the idle timeout. */
  replaceable: number[];
  /** The seats that have resigned or whose time is up, so that a bot plays on for them if the match continues. Their players cannot take them back. */
  lost: number[];
  /** The settings of the table. `chat` is false if there is only one person. */
  settings: TableSettings;
  /** Whether undo never needs consent. */
  free_undo: boolean;
  /** The seconds that each seat has left. null for a seat without a clock. */
  clock: (number | null)[];
  /** The seats whose clocks run. */
  running: number[];
  /** The reason why the clocks and the bots wait, or null while they do not. */
  hold: HoldOut | null;
  /** The commitment to the seed and the secret salt. null without a salt. */
  commitment: string | null;
  /** Whether there is a lobby, so that the same people can play again. */
  hosted: boolean;
  /** Whether players may request hints. */
  hints: boolean;
  /** Whether the rules of the game can be requested. */
  rules: boolean;
  /** A text about the bot that is thinking now, or empty. */
  thinking: string;
  /** The path of the page for spectators, or empty if players may not have it. */
  spectator_path: string;
  /** The path of the invitation while seats are free that people can take with it. Otherwise empty, as for spectators. */
  invitation: string;
  /** The usage of the commands that `AskIn` enters. */
  commands: string[];
}

/** The settings of a table. Times are in seconds. */
export interface TableSettings {
  /** Allow players to undo any action, even after a draw or a revealed secret. */
  casual: boolean;
  /** The seats, counted from 0, that anyone in the lobby may take while they are free. */
  open: number[];
  /** Allow players to chat. */
  chat: boolean;
  /** Time of each player for the whole match. null for no such limit. */
  clock: number | null;
  /** Time added to a player's clock with each action. It needs `clock`. */
  increment: number;
  /** Time of each player for each action. It cannot be combined with `clock`. null for no such limit. */
  move_time: number | null;
  /** Refuse hints of bots. */
  no_hints: boolean;
  /** Let a bot take over from a player whose time has run out, who loses otherwise. */
  bot_on_time: boolean;
  /** Idle time after which the other players may replace a player with a bot. null for never. By default 300, or never with a time limit. */
  idle_timeout?: number | null;
}

/** A bot for a seat. */
export interface BotOut {
  /** The name of the bot in requests. */
  name: string;
  /** Its heading in a list of bots. */
  group: string;
  /** What people call it, such as `Medium bot`. */
  label: string;
}

/** The position as one seat sees it, sent after each change. */
export interface StateOut {
  type: "state";
  /** The number of actions played so far. */
  ply: number;
  /** The seat whose view it is. null for a spectator. */
  seat: number | null;
  /** The seats that are to act. */
  turn: number[];
  /** The seats to act that this connection decides for. */
  your_turn: number[];
  /** The question of the game, in words. For a terminal, the prompt of a line if `your_turn` is not empty. */
  prompt: string;
  /** The legal actions of `your_turn`. */
  choices: ChoiceOut[];
  /** The number of legal actions that are not in `choices`. */
  more_choices: number;
  /** Whether this connection may undo, or may ask the others to undo. */
  can_undo: boolean;
  /** Whether this connection may redo. */
  can_redo: boolean;
  /** The reason why nothing can be undone. Empty if it is obvious. */
  undo_refusal: string;
  /** The usage of the commands. */
  commands: string[];
  /** The number of the last line of the log up to this position. */
  log_line: number;
  /** The end of the match. null before. */
  over: OverOut | null;
  /** The seconds left to act. null without a limit. */
  deadline: number | null;
  /** The position in words. For a terminal, the text above the prompt, which may be empty. It stays the same until the position changes. */
  text: string;
  /** The picture. Empty if the client requested none. */
  svg: string;
  /** The information of the seat about the state, as JSON, if the client requested data. */
  view: any;
  /** The number of the position. It grows with each change, undo included, and never repeats. 0 for a bot program, whose answers do not need it. */
  revision: number;
  /** For a terminal, a text about the events since the last state. May be empty. */
  news: string;
  /** For a terminal, the number of `choices` that `text` lists with their numbers. */
  numbered: number;
  /** The seat whose person has to sit down at this screen first (`SitIn`), or null. Until then, the state has no information of the seat and no choices. */
  covered: number | null;
  /** The sentences of the tutorial that apply now, the most important first, if the client requested them and is to act. */
  lessons: string[];
  /** The seats of this connection that can resign. */
  can_resign: number[];
  /** What this connection can propose to the other players now. */
  proposals: ProposalOut[];
  /** Whether a seat of this connection passes until the end of the turn (`PassIn`). null if no seat does, and none is asked for a reaction. */
  passes: boolean | null;
}

/** A legal action, or all legal actions that choose several of the same items. */
export interface ChoiceOut {
  /** The text to send in `ActIn.line`. */
  words: string;
  /** The text of its button, or at a terminal the words that a player may type for it. */
  label: string;
  /** The parts of the picture to click for it, in this order. Empty if it has none. */
  path: string[];
  /** The seat that can play the action. */
  seat: number;
  /** The action as data, if the client requested data and it does not choose items. */
  action: DataOut | null;
  /** An explanation of the action in a few words, for a terminal. May be empty. */
  hint: string;
  /** The items to choose from, if there are any. `ActIn.line` then contains `words`, followed by the words of the chosen items. Absent in other choices. */
  several?: SeveralOut;
}

/** Items of which a player chooses several, in any order. */
export interface SeveralOut {
  /** The minimum number of items. */
  low: number;
  /** The maximum number of items. */
  high: number;
  /** The items. Equal items are listed once for each copy. */
  items: ItemOut[];
}

/** An item of which a player may choose several. */
export interface ItemOut {
  /** The word of the item in the line. */
  words: string;
  /** The text of its button. */
  label: string;
  /** The part of the picture to click for it, or empty if there is none. */
  path: string[];
}

/**
 * An action or an event as data: the name of its class, and its fields as JSON.
 *
 * `tabletop schema` describes both.
 */
export interface DataOut {
  type: string;
  value: any;
}

/** The outcome of a match, and links to continue with. */
export interface OverOut {
  /** The outcome in words. */
  text: string;
  /** The winning seats. */
  winners: number[];
  /** The points of each seat. Empty if all seats win or lose together. */
  points: number[];
  /** The reason why the match ended, in words. May be empty. */
  reason: string;
  /** The whole outcome as data: `ranking`, `reason`, `abandoned`, `points` and `best`, and in games with teams or roles `factions` and `roles`. */
  outcome: any;
  /** The seed. Empty for a bot of the host, whose other matches may have the same seed. */
  seed: string;
  /** The options that differ from their defaults. */
  options: { [name: string]: number | string | boolean | null };
  /** The labels of these options. */
  option_labels: { [name: string]: string };
  /** The command that plays the same setup again. */
  command: string;
  /** The secret salt of the seed, or null. */
  salt: string | null;
  /** The path of the page that replays the match. */
  replay_page: string | null;
  /** The path of the table where the same people play again, with the token of the client after `#`. Without a token in the path, the present token is valid there. */
  next_table: string | null;
}

/** A line of the log. */
export interface LineOut {
  /** The number of the line. Later lines have higher numbers. */
  number: number;
  /** The text. Empty for an event that the game does not put into words. */
  text: string;
  /** The seat that acted or sent a message, or whose turn begins. null for other lines. */
  seat: number | null;
  /** "turn" for the heading of a turn, "remark" for a line about the table, "chat" for a chat message, otherwise empty. */
  kind: string;
  /** The number of actions played before. */
  ply: number;
  /** The event as data, if the client requested data. */
  event: DataOut | null;
}

/** The answer to `LookIn`: an earlier position, as this connection saw it then. */
export interface PastOut {
  type: "past";
  /** The `id` of the request. */
  id: number;
  /** The number of actions played at the position, without undone actions. */
  ply: number;
  /** The position in words. */
  text: string;
  /** The picture, which cannot be clicked. Empty if the client requested none. */
  svg: string;
  /** The information of the seat about the state, as JSON, if the client requested data. */
  view: any;
  /** The number of the last line of the log up to that position. 0 if it is not stored any more. */
  log_line: number;
}

/** The answer to `HintIn`: the action that a bot would play. */
export interface HintOut {
  type: "hint";
  /** The `id` of the request. */
  id: number;
  /** The seat of the hint. */
  seat: number;
  /** The action as a text. Empty if the position has changed since the request. */
  words: string;
  /** The bot's estimate of the action, in words. Empty if it has none. */
  confidence: string;
  /** Lines with the reasons for the action, and the bot's opinion of other actions. */
  reasons: string[];
}

/** The answer to `AskIn`. */
export interface TextOut {
  type: "text";
  /** The `id` of the request. */
  id: number;
  /** The text, which may be empty, or the content of a file. */
  text: string;
  /** The number of legal actions that the text lists with their numbers. */
  numbered: number;
  /** A command of every table that the client is asked to carry out, such as `bot hard 2`, or empty. */
  line: string;
  /** The name of a file to write for the person, or empty. */
  file: string;
}

/** Commands that `help` explains together. */
export interface TopicOut {
  /** The title, or empty. */
  title: string;
  /** The usage and the effect of each command. */
  rows: ([string, string])[];
  /** Further information, or empty. */
  note: string;
}

/** An open request that other players must agree to, or the end of such a request. */
export interface ConsentOut {
  type: "consent";
  /** The seat that made the request. */
  seat: number;
  /** The names of the players who made the request. In a request of the client's own (`yours`), the names of the players who must answer. */
  name: string;
  /** The kind of the request: "undo", or a `ProposalOut.kind`. Empty when no request is open. */
  kind: string;
  /** The effect of the request in words, such as `undo 2 actions`. Empty at the end. */
  aim: string;
  /** The number of actions to undo. 0 in a request of another kind, and at the end. */
  actions: number;
  /** Whether the client itself made the request. */
  yours: boolean;
  /** The reason why the request has ended, or empty. */
  reason: string;
  /** Whether consent ends the match. Bots in the seats of people agree to all other requests. */
  ends: boolean;
}

/** A short message about the table. */
export interface NoteOut {
  type: "note";
  text: string;
}

/** The fields of each request. */
export interface Requests {
  /**
   * An action in the words that a player would type, and its seat if the connection has several.
   *
   * `revision` is the `StateOut.revision` of the state that the action answers. The action is
   * refused if the seat has acted since that state, or if actions were undone or redone. An action
   * that arrives twice, for example because of a double click, is played once without an error. A
   * client may send `ply` in place of `revision`, but after an undo two states may have the same
   * `ply`.
   *
   * A request (of this or another type) with an `id` above 0 gets exactly one answer with the same
   * `id`: `DoneOut`, `RefusedOut`, or the answer to a question.
   */
  act: {
    line: string;
    seat?: number | null;
    ply?: number | null;
    revision?: number | null;
  };
  /** Undo actions, for which other players may be asked for their consent first. */
  undo: {
    /** The number of actions, or null for the player's last action and all since. */
    actions?: number | null;
  };
  /** Redo undone actions. */
  redo: {
    /** The number of actions, or null for all up to the next person's turn. */
    actions?: number | null;
  };
  /** The answer to an open request. The player who made the request may withdraw it with "no". */
  consent: {
    yes: boolean;
    /** The `ConsentOut.kind` of the request that this answers. If it is empty, the answer is for the open request, whatever its kind. */
    kind?: string;
  };
  /** Set the player of a seat: "human", or the name of a bot. */
  seat: {
    seat: number;
    player: string;
  };
  /** Open a table for the same people after the match. Everybody moves to the next seat. */
  again: {
  };
  /** Request the reason why a part of the picture cannot be used now. */
  why: {
    /** The part. */
    part: string;
    /** The parts that the player has chosen before, in order. */
    chosen?: string[];
  };
  /** Request the action that a bot would play. The answer is a `HintOut` or a refusal. */
  hint: {
  };
  /**
   * Send a chat message to everybody at the table. Spectators cannot chat.
   *
   * The message becomes a line of the log. It is not stored in the record.
   */
  say: {
    text: string;
  };
  /** Request the position after `ply` actions, as this connection saw it then. */
  look: {
    ply: number;
  };
  /** Request the rules of the game. */
  rules: {
  };
  /**
   * Request states that a seat to act cannot distinguish from the real state.
   *
   * A table may draw fewer than `count` states, but at least one.
   */
  sample: {
    count?: number;
    seat?: number | null;
  };
  /** Propose something to the other players, or do it at once if it needs no consent. */
  propose: {
    /** The kind of the proposal, which is in `StateOut.proposals` if it is possible. */
    kind: string;
  };
  /** Resign: the seat loses. With more than two seats, a bot plays on for it. */
  resign: {
    /** The seat, which is in `StateOut.can_resign`. By default the only seat of the connection, or its seat to act. */
    seat?: number | null;
  };
  /**
   * Pass now and until the end of the turn (`on`), or decide again.
   *
   * Games whose rules define `Game.passing` have reactions on which a player can pass.
   */
  pass: {
    on?: boolean;
    seat?: number | null;
  };
  /**
   * Enter a command of the game that only shows information, such as `hand` or `board`.
   *
   * `TableOut.commands` lists these commands. In addition, `/table` shows the position again, and
   * `/actions` all legal actions. The answer is a `TextOut`. A command such as `no to all` enters
   * an action, now and again whenever the seat is to act.
   */
  ask: {
    line: string;
  };
  /** Request the commands of the game, those that are possible now first. */
  help: {
  };
  /** Sit down at a shared screen or keyboard, which shows the view of the seat from now on. */
  sit: {
    seat: number;
  };
}
