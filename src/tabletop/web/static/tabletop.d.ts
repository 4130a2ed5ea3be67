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

export type Picture = "" | "wide" | "narrow";

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
  found: [];
  lost: [lost: { seconds: number; why: string }];
  ended: [ended: { why: string; reason: Reason | "gone" }];
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
  act(choice: string | ChoiceOut, more?: { seat?: number; revision?: number }): Promise<void>;
  undo(): Promise<void>;
  redo(): Promise<void>;
  consent(yes: boolean, more?: { pause?: boolean }): Promise<void>;
  hint(): Promise<HintOut>;
  why(part: string): Promise<string>;
  say(text: string): Promise<void>;
  look(ply: number): Promise<PastOut>;
  rules(): Promise<string>;
  sample(count?: number, more?: { seat?: number }): Promise<any[]>;
  pause(on: boolean): Promise<void>;
  reseat(seat: number, player: string): Promise<void>;
  again(): Promise<void>;
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

/** The seats and players of a table; sent first, and again after each change. */
export interface TableOut {
  type: "table";
  /** the name of the game, and what it is called. */
  game: string;
  /** the name of the game, and what it is called. */
  title: string;
  /** the version of its rules. */
  version: string;
  names: string[];
  /** the names as the game writes them, such as `Ada (Blue)`. */
  called: string[];
  /** the player of each seat: "human", or the name of a bot. */
  players: string[];
  /** the seats that this connection decides for. */
  you: number[];
  /** the version that the server speaks. */
  protocol: number;
  /** the options of the match, told to a bot of its host alone: they may hold decks. Everybody else is told in the end; see `OverOut`. */
  options: { [name: string]: number | string | boolean | null };
  spectator: boolean;
  /** the bots that a seat can be given to, from the plainest names on. */
  bots: BotOut[];
  /** for each seat, whether its person is connected; true for a bot. */
  here: boolean[];
  /** how many watch without a seat. */
  watching: number;
  /** the seats that the others may give to a bot: their people have been away for long, or have not acted for `patience`. */
  offered: number[];
  /** the seconds after which the seat of who is here, and does not act, is offered; null for never. */
  patience: number | null;
  /** whether people may undo even actions with draws. */
  casual: boolean;
  /** whether everything can be undone without asking anybody. */
  free_undo: boolean;
  /** the seconds that each seat has left; null for a seat without a clock. */
  clock: (number | null)[];
  /** the seats whose clocks run. */
  running: number[];
  /** the seconds that a seat gains with each of its actions. */
  increment: number;
  /** the seconds for each action; null where they are for the whole match. */
  move_time: number | null;
  /** whether all clocks stand still, as everybody has agreed; bots wait as well. */
  paused: boolean;
  /** the commitment to the seed and the salt, which nobody knows before the end; null without a salt. */
  commitment: string | null;
  /** whether there is a lobby, and the same people can play again. */
  hosted: boolean;
  /** whether people may ask what a bot would do. */
  hints: boolean;
  /** whether who sits here may say something. */
  chat: boolean;
  /** whether the rules of the game can be asked for. */
  rules: boolean;
  /** what is said of a bot that thinks now; empty for none. */
  thinking: string;
  /** the path of the page for who watches, to be handed on; empty where that is not told. */
  watch: string;
}

/** A bot that can be chosen: its name, and the heading under which it stands in a list. */
export interface BotOut {
  name: string;
  group: string;
}

/** The position as one seat sees it; sent after each change. */
export interface StateOut {
  type: "state";
  /** the number of actions played so far. */
  ply: number;
  /** the seat whose view it is; null for a spectator. */
  seat: number | null;
  /** the seats that are to act. */
  turn: number[];
  /** those of them that this connection decides for. */
  asked: number[];
  /** the question of the game, in words. */
  prompt: string;
  /** the legal actions of `asked`. */
  choices: ChoiceOut[];
  /** the number of legal actions not among `choices`. */
  more: number;
  /** whether this connection may do that, or may ask the others for it. */
  can_undo: boolean;
  /** whether this connection may do that, or may ask the others for it. */
  can_redo: boolean;
  /** the reason why nothing can be undone; empty where it is obvious. */
  no_undo: string;
  /** the usage of the commands. */
  commands: string[];
  /** the number of the last line of the log up to this position. */
  line: number;
  /** how the match ended; null before. */
  over: OverOut | null;
  /** the seconds in which to act; null for no limit. */
  deadline: number | null;
  /** the position in words. */
  text: string;
  /** the picture; empty where none was asked for. */
  svg: string;
  /** what the seat sees of the state, as JSON, where data was asked for. */
  view: any;
  /** The number of the position. It grows with each change, undo included, and never repeats; 0 for a bot program, whose answers need none. */
  revision: number;
}

/** A legal action. */
export interface ChoiceOut {
  /** what to send in `ActIn.line` to choose it. */
  words: string;
  /** what it is called on a button. */
  label: string;
  /** the parts of the picture to click for it, one after the other; empty for none. */
  path: string[];
  /** whose action it is. */
  seat: number;
  /** the same as data, where that was asked for. */
  action: DataOut | null;
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

/** The outcome of a match, and links for afterwards. */
export interface OverOut {
  /** the outcome in words. */
  text: string;
  /** of the match; no points where all seats win or lose together. */
  winners: number[];
  /** of the match; no points where all seats win or lose together. */
  points: number[];
  /** why it has ended, in words; may be empty. */
  reason: string;
  /** the whole outcome as data: `ranking`, `reason`, `abandoned`, `points` and `best`. */
  outcome: any;
  /** the seed; empty for a bot of the table's host, whose other matches may have it too. */
  seed: string;
  /** the options that differ from their defaults. */
  options: { [name: string]: number | string | boolean | null };
  /** the command that plays the same world again. */
  again: string;
  salt: string | null;
  /** the path of the page that replays the match. */
  film: string | null;
  /** the page of the table where the same people play again, with the reader's own token behind its `#`; without one, the same token opens it. */
  next: string | null;
}

/** A line of the log. */
export interface LineOut {
  /** later lines have higher numbers. */
  n: number;
  /** the words; empty for an event that the game has no words for. */
  text: string;
  /** the seat that acted, that speaks, or whose turn begins; null for nobody. */
  seat: number | null;
  /** "turn" for the heading of a turn, "remark" for a line about the table, "chat" for what somebody said; else empty. */
  kind: string;
  /** the number of actions that were played then. */
  ply: number;
  /** the event as data, where that was asked for. */
  event: DataOut | null;
}

/** The answer to `LookIn`: an earlier position, as this connection was shown it then. */
export interface PastOut {
  type: "past";
  id: number;
  /** the number of actions played then, of the present line of play. */
  ply: number;
  /** the position in words. */
  text: string;
  /** the picture, which cannot be clicked; empty where none was asked for. */
  svg: string;
  /** what the seat saw of the state, as JSON, where data was asked for. */
  view: any;
  /** the number of the last line of the log up to that position; 0 for none that is kept. */
  line: number;
}

/**
 * The answer to `HintIn`: what a bot would do for a seat, and how sure it is.
 *
 * Without `words` there is none: the position has changed meanwhile. `because` says in lines what
 * speaks for it, and what the bot thinks of other actions.
 */
export interface HintOut {
  type: "hint";
  id: number;
  seat: number;
  words: string;
  sure: string;
  because: string[];
}

/**
 * A request to take so many actions back, or to stop the clocks (`pause`).
 *
 * With neither it is no more, and `why` says why. `name` is whose request it is; where the reader
 * has made it (`waits`), who must answer.
 */
export interface ConsentOut {
  type: "consent";
  seat: number;
  name: string;
  actions: number;
  pause: boolean;
  waits: boolean;
  why: string;
}

/** A short message about the table. */
export interface NoteOut {
  type: "note";
  text: string;
}
