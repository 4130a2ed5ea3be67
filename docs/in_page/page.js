// "Try it in the page": the button, the editor, and the table where the game is played.
//
// The editor may contain a stranger's code from a link. Therefore code runs only after a button is pressed, in a
// worker of a sandboxed frame with its own origin and without a network. The page displays its results as text and
// images. Of the shapes in a picture, only the outlines are recreated as clickable areas. `paths.js`, which the
// server's pages use, too, determines the effect of a click.

"use strict";

(() => {
  const HASH = "#try=";
  const LONGEST_LINK = 24000; // characters; longer links may be truncated
  const LONGEST_TEXT = 200000; // maximum number of characters in an unpacked link
  const PAUSE = 350; // milliseconds before a bot's next action
  const LONG = 10000; // milliseconds without a message from Python, after which it may never finish
  const NARROW = 520; // pixels; in narrower pages a game draws its picture for a phone
  const SVG = "http://www.w3.org/2000/svg";
  const SHAPES = {
    g: [], rect: ["x", "y", "width", "height", "rx", "ry"], circle: ["cx", "cy", "r"], ellipse: ["cx", "cy", "rx", "ry"],
    path: ["d"], polygon: ["points"], polyline: ["points"], line: ["x1", "y1", "x2", "y2"],
  };
  const COPIED = ["transform", "visibility", "pointer-events", "data-part", "data-after"];
  const FROM_FOLDER = "This page was opened from a folder, where browsers cannot start Python. Open it from a web server,"
    + " such as python -m http.server in the folder of the site.";
  const FROM_LINK = "This game is part of the link, so the author of the link wrote it. Read it before you check or play it."
    + " It runs apart from this page, without a network.";
  const POLICY = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:";
  const BOOT = `onmessage = ({ data: { worker, things }, ports }) => {
    const made = new Worker(URL.createObjectURL(new Blob([worker], { type: "text/javascript" })));
    made.onerror = (event) => parent.postMessage({ broken: event.message || "the worker could not start" }, "*");
    made.postMessage(things, ports);
  };`;

  /** Create an element with properties, attributes (with a hyphen) and children. Text is never interpreted as markup. */
  function make(name, properties = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
      if (key.includes("-") || key === "role") element.setAttribute(key, value);
      else element[key] = value;
    }
    element.append(...children);
    return element;
  }

  const button = (words, pressed) => make("button", { type: "button", className: "md-button", onclick: pressed }, words);

  // The files, loaded once for all buttons of a page.

  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
  let fetched = null;

  function fetchAll(base, told) {
    fetched ??= fetchFiles(base, told).catch((error) => {
      fetched = null;
      throw new Error(`Python could not be fetched: ${error.message}`);
    });
    return fetched;
  }

  async function fetchFiles(base, told) {
    const get = async (address, options) => {
      const response = await fetch(base + address, options);
      if (!response.ok) throw new Error(`${address}: ${response.status}`);
      return response;
    };
    const [list, worker] = await Promise.all([
      get("files/files.json", { cache: "no-cache" }).then((response) => response.json()),
      get("worker.js", { cache: "no-cache" }).then((response) => response.text()),
    ]);
    const all = list.files.reduce((sum, { size }) => sum + size, 0);
    let loaded = 0;
    const counted = () => new TransformStream({
      transform(chunk, out) {
        loaded += chunk.byteLength;
        told(`${megabytes(loaded)} of ${megabytes(all)} MB (${Math.floor((100 * loaded) / all)} %)`, loaded / all);
        out.enqueue(chunk);
      },
    });
    const files = await Promise.all(list.files.map(async ({ name, url }) => {
      const { body } = await get(`files/${url}`);
      const plain = body.pipeThrough(counted()).pipeThrough(new DecompressionStream("gzip"));
      return [name, await new Response(plain).arrayBuffer()];
    }));
    return { worker, things: { files: Object.fromEntries(files), lock: JSON.stringify(list.lock) } };
  }

  // Python in a worker of its own frame. Removing the frame ends it.

  class Python {
    constructor(loaded, heard) {
      this.heard = heard;
      this.waiting = new Map();
      this.count = 0;
      const { port1, port2 } = new MessageChannel();
      this.port = port1;
      this.ready = new Promise((resolve, reject) => Object.assign(this, { started: resolve, failed: reject }));
      this.ready.catch(() => {});
      port1.onmessage = ({ data }) => this.hear(data);
      this.listen = ({ source, data }) => { if (source === this.frame.contentWindow) this.hear(data); };
      addEventListener("message", this.listen);
      this.frame = make("iframe", { hidden: true, title: "Python", "aria-hidden": "true" });
      this.frame.setAttribute("sandbox", "allow-scripts");
      this.frame.srcdoc = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}"><script>${BOOT}</script>`;
      this.frame.onload = () => this.frame.contentWindow.postMessage(loaded, "*", [port2]);
      document.body.append(this.frame);
    }

    hear(said) {
      if (said.ready) this.started();
      else if (said.broken) this.end(new Error(`Python has ended: ${said.broken}`));
      else if (said.answer) {
        this.waiting.get(said.id)?.resolve(said.answer);
        this.waiting.delete(said.id);
      } else this.heard(said);
    }

    async ask(question) {
      await this.ready;
      return new Promise((resolve, reject) => {
        this.count += 1;
        this.waiting.set(this.count, { resolve, reject });
        this.port.postMessage({ id: this.count, question });
      });
    }

    end(why) {
      this.ended = true;
      removeEventListener("message", this.listen);
      this.port.close();
      this.frame.remove();
      this.failed(why);
      for (const { reject } of this.waiting.values()) reject(why);
    }
  }

  // Links.

  async function packed(text) {
    const packing = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(packing).arrayBuffer());
    const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
    return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  }

  async function unpacked(words) {
    if (words.length > LONGEST_LINK) throw new Error("it is too long");
    const bytes = Uint8Array.from(atob(words.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).pipeThrough(new TextDecoderStream());
    let text = "";
    for (const reader = stream.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      text += value;
      if (text.length > LONGEST_TEXT) throw new Error("its game is too long");
    }
    const { file, text: rules, seed } = JSON.parse(text);
    if (![file, rules, seed].every((it) => typeof it === "string") || !/^\w{1,40}\.py$/.test(file)) throw new Error("it holds no game");
    return { file, text: rules, seed: seed.slice(0, 200) };
  }

  // The picture: an image, with clickable shapes of its parts on top.

  /** Recreate the shapes of the parts of a picture from their geometry. */
  function outlines(drawn) {
    const copy = (from) => {
      const allowed = SHAPES[from.localName];
      if (!allowed || from.classList.contains("tt-ring")) return null;
      const to = document.createElementNS(SVG, from.localName);
      for (const name of [...allowed, ...COPIED]) if (from.hasAttribute(name)) to.setAttribute(name, from.getAttribute(name));
      to.append(...[...from.children].map(copy).filter(Boolean));
      return to;
    };
    const over = document.createElementNS(SVG, "svg");
    over.setAttribute("viewBox", drawn.getAttribute("viewBox") ?? "0 0 1 1");
    over.setAttribute("aria-hidden", "true"); // the list next to it is for keyboards and screen readers
    over.append(...[...drawn.children].map(copy).filter(Boolean));
    return over;
  }

  // The editor and the table.

  class Trial {
    constructor(place) {
      this.place = place;
      const { base, file, seed } = place.dataset;
      Object.assign(this, { base, file: file.split("/").at(-1), seed, original: "", python: null, starting: null, stops: 0, prefix: [], picked: [], state: null, turn: 0 });
      this.opener = place.querySelector("button");
      this.opener.onclick = () => this.open();
    }

    async open(game = null) {
      if (location.protocol === "file:") {
        if (!this.place.querySelector(".tt-try-note")) this.place.append(make("p", { className: "tt-try-note", role: "alert" }, FROM_FOLDER));
        return;
      }
      if (!this.text) this.build();
      this.opener.hidden = true;
      this.bench.hidden = false;
      this.bench.setAttribute("aria-label", `Try ${game?.file ?? this.file}`);
      if (game) {
        Object.assign(this, { file: game.file, original: game.text });
        this.fill(game);
        this.note(FROM_LINK);
      } else if (!this.original) {
        try {
          const response = await fetch(`${this.base}games/${this.place.dataset.file}`);
          if (!response.ok) throw new Error(String(response.status));
          this.original = await response.text();
        } catch (error) {
          return void this.fail({ error: `The game could not be fetched: ${error.message}` });
        }
        this.fill({ text: this.original, seed: this.seed });
      }
      // The rules are readable before Python starts. With a link, a button must be pressed first.
      if (!game) this.started().catch(({ message }) => message && this.fail({ error: message }));
      this.text.focus({ preventScroll: true });
      this.bench.scrollIntoView({ block: "start" });
    }

    fill({ text, seed }) {
      this.text.value = text;
      this.text.setSelectionRange(0, 0);
      this.seedLine.value = seed;
      this.title.textContent = this.file;
    }

    build() {
      const keys = `tt-try-keys-${trials.indexOf(this)}`;
      this.title = make("span", { className: "tt-try-file" });
      this.text = make("textarea", {
        spellcheck: false, rows: 22, wrap: "off", autocapitalize: "off", autocomplete: "off", onkeydown: (event) => this.key(event),
        "aria-describedby": keys,
      });
      this.seedLine = make("input", { type: "text", maxLength: 200, autocomplete: "off", placeholder: "any words" });
      this.notes = make("p", { className: "tt-try-note", hidden: true });
      this.checking = button("Check", () => this.check());
      this.playing = button("Play", () => this.play());
      this.stopping = button("Stop", () => this.stop());
      this.status = make("p", { className: "tt-try-status", role: "status", "aria-live": "polite" });
      this.doing = make("p", { className: "tt-try-doing" }); // changes too often to be read out
      this.bar = make("progress", { max: 1, value: 0, hidden: true, "aria-label": "Fetched" });
      this.error = make("div", { className: "tt-try-error", role: "alert" });
      this.printed = make("pre", { className: "tt-try-printed", hidden: true, tabIndex: 0, "aria-label": "What the game prints" });
      this.table = make("div", { className: "tt-try-table", hidden: true });
      for (const one of [this.checking, this.playing]) one.classList.add("md-button--primary");
      this.bench = make("section", { className: "tt-try-bench" },
        this.notes,
        make("label", {}, make("span", {}, "The rules, as Python: ", this.title), this.text),
        make("p", { className: "tt-try-keys", id: keys }, "Tab indents. To leave the rules with the keyboard, press Escape, then Tab."),
        make("div", { className: "tt-try-row" },
          make("label", {}, make("span", {}, "Seed"), this.seedLine),
          this.checking, this.playing, this.stopping, button("Copy a link", () => this.link()), button("Restore", () => this.reset())),
        this.status, this.doing, this.bar, this.error, this.printed, this.table);
      this.place.append(this.bench);
      this.buildTable();
      this.busy(false);
      new MutationObserver(() => this.look()).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
      new ResizeObserver(() => this.look()).observe(this.table);
    }

    buildTable() {
      this.prompt = make("p", { className: "tt-try-prompt", role: "status", "aria-live": "polite" });
      this.picture = make("div", { className: "tt-try-picture" });
      this.choices = make("div", { className: "tt-try-choices", tabIndex: -1, role: "group", "aria-label": "What you can do" });
      this.line = make("input", { type: "text", maxLength: 500, autocomplete: "off", autocapitalize: "off", spellcheck: false });
      this.typing = make("form", { className: "tt-try-row", onsubmit: (event) => { event.preventDefault(); this.act(this.line.value); } },
        make("label", {}, make("span", {}, "Or type it"), this.line), make("button", { className: "md-button" }, "Act"));
      this.undoing = button("Undo", () => this.ask({ do: "undo" }));
      this.seats = make("div", { className: "tt-try-row tt-try-seats" });
      this.position = make("pre", { tabIndex: 0, "aria-label": "The position in words" });
      this.log = make("pre", { className: "tt-try-log", tabIndex: 0, "aria-label": "What has happened" });
      this.foot = make("p", { className: "tt-try-foot" });
      this.table.append(this.prompt, this.picture, this.choices, this.typing, this.seats,
        make("details", { open: true }, make("summary", {}, "What has happened"), this.log),
        make("details", {}, make("summary", {}, "The position in words"), this.position), this.foot);
    }

    note(words) {
      this.notes.textContent = words;
      this.notes.hidden = !words;
    }

    key(event) {
      if (event.key === "Escape") this.leaves = true;
      else if (event.key === "Tab" && !event.shiftKey && !event.ctrlKey && !event.altKey && !this.leaves) {
        event.preventDefault();
        const { selectionStart: from, selectionEnd: to, value } = this.text;
        const column = from - (value.lastIndexOf("\n", from - 1) + 1);
        this.text.setRangeText(" ".repeat(4 - (column % 4)), from, to, "end");
      } else if (event.key !== "Shift") this.leaves = false;
    }

    reset() {
      this.fill({ text: this.original, seed: this.seed });
      this.say("The original rules are restored.");
    }

    say(words) {
      if (this.status.textContent !== words) this.status.textContent = words;
    }

    busy(is) {
      this.isBusy = is;
      this.stopping.disabled = !is && !this.starting;
      this.checking.disabled = this.playing.disabled = is;
    }

    async link() {
      const game = JSON.stringify({ file: this.file, text: this.text.value, seed: this.seedLine.value });
      const words = await packed(game);
      if (words.length > LONGEST_LINK || game.length > LONGEST_TEXT) {
        return void this.say(`These rules are too long for a link: ${words.length} characters, but the maximum is ${LONGEST_LINK}.`);
      }
      const { origin, pathname } = location;
      history.replaceState(null, "", HASH + words);
      try {
        await navigator.clipboard.writeText(origin + pathname + HASH + words);
        return void this.say("The link was copied and is also in the address bar. It contains these rules and the seed.");
      } catch {
        return void this.say("Copy the link from the address bar. It contains these rules and the seed.");
      }
    }

    // Requests to Python.

    /** Start Python when it is first needed. */
    started() {
      this.starting ??= this.start(this.stops).catch((error) => {
        this.starting = null;
        throw error;
      });
      return this.starting;
    }

    async start(stops) {
      this.stopping.disabled = false;
      this.say("Fetching Python ...");
      this.bar.hidden = false;
      const told = (words, share) => { this.doing.textContent = words; this.bar.value = share; };
      const [loaded, paths] = await Promise.all([fetchAll(this.base, told), import("./files/paths.js")])
        .finally(() => { this.bar.hidden = true; this.doing.textContent = ""; });
      this.paths = paths;
      if (stops !== this.stops) throw new Error("");
      this.say("Starting Python, which takes some seconds ...");
      this.python = new Python(loaded, (said) => this.hear(said));
      await this.python.ready;
      this.say("Python is ready.");
    }

    hear({ tell, printed }) {
      if (tell) this.doing.textContent = tell;
      if (printed !== undefined) {
        this.printed.hidden = false;
        this.printed.append(`${printed}\n`);
      }
    }

    /** Send a request to Python. Return the answer, or null after displaying the reason for a failure. */
    async asked(question, doing) {
      if (this.isBusy) return null;
      this.error.replaceChildren();
      this.busy(true);
      try {
        await this.started();
        if (doing) this.say(doing);
        const answer = await this.watched(this.python.ask(question));
        if (!answer.error) return answer;
        this.fail(answer);
      } catch (error) {
        if (this.python?.ended) this.leave();
        if (error.message) this.fail({ error: error.message });
      } finally {
        this.doing.textContent = "";
        this.busy(false);
      }
      return null;
    }

    /** Wait for an answer, and display a message if it takes long. */
    async watched(answer) {
      let heard = this.doing.textContent;
      const watch = setInterval(() => {
        if (this.doing.textContent === heard) this.say("Python has not reported anything for a while. If it is in an endless loop, press Stop.");
        heard = this.doing.textContent;
      }, LONG);
      try {
        return await answer;
      } finally {
        clearInterval(watch);
      }
    }

    fail({ error, line }) {
      this.say("");
      this.error.replaceChildren(make("p", {}, error));
      if (line) this.error.append(button(`Go to line ${line}`, () => this.goTo(line)));
    }

    goTo(line) {
      const lines = this.text.value.split("\n");
      const from = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
      this.text.focus();
      this.text.setSelectionRange(from, from + (lines[line - 1] ?? "").length);
      const high = this.text.scrollHeight / Math.max(lines.length, 1);
      this.text.scrollTop = Math.max(0, (line - 6) * high);
    }

    stop() {
      this.stops += 1;
      this.turn += 1;
      this.python?.end(new Error(""));
      this.leave();
      this.busy(false);
      this.say("Stopped.");
    }

    /** Discard a Python that has ended, and its match. */
    leave() {
      this.python = this.starting = null;
      this.table.hidden = true;
    }

    game() {
      this.printed.replaceChildren();
      this.printed.hidden = true;
      return { file: this.file, text: this.text.value };
    }

    async check() {
      this.turn += 1;
      const answer = await this.asked({ do: "check", ...this.game() }, "Checking ...");
      if (answer) this.say(answer.said);
    }

    async play(seats = null) {
      this.turn += 1;
      this.prefix = this.picked = [];
      this.table.hidden = true;
      const question = { do: "play", ...this.game(), seed: this.seedLine.value, seats, look: this.looks() };
      const answer = await this.asked(question, "Setting the table ...");
      if (!answer) return;
      this.say("");
      this.table.hidden = false;
      this.show(answer);
      this.table.scrollIntoView({ block: "nearest" });
    }

    act(line) {
      this.prefix = this.picked = [];
      this.line.value = "";
      return this.ask({ do: "act", line });
    }

    async ask(question) {
      const answer = await this.asked({ ...question, look: this.looks() });
      if (answer) this.show(answer);
      else if (this.state && this.python) this.choose();
    }

    // Display.

    looks() {
      const width = this.table.clientWidth || this.place.clientWidth;
      return { dark: document.body.dataset.mdColorScheme === "slate", narrow: width < NARROW };
    }

    /** Draw again if the layout of the page has changed. */
    look() {
      const looks = JSON.stringify(this.looks());
      if (!this.state || this.table.hidden || this.isBusy || looks === this.looked) return;
      this.ask({ do: "show" });
    }

    show(state) {
      this.state = state;
      this.looked = JSON.stringify(this.looks());
      this.draw(state.svg);
      this.choose();
      this.position.textContent = state.text;
      this.log.textContent = state.log.join("\n");
      this.log.scrollTop = this.log.scrollHeight;
      this.foot.textContent = `Seed: ${state.seed}. Digest of the position: ${state.digest}.`;
      this.typing.hidden = state.over;
      this.sit(state);
      this.turn += 1;
      if (state.bot && !state.over) setTimeout((turn) => { if (turn === this.turn) this.ask({ do: "advance" }); }, PAUSE, this.turn);
    }

    draw(svg) {
      this.drawn = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
      this.image = make("img", { alt: "The position, which is described below.", draggable: false });
      this.over = outlines(this.drawn);
      this.over.onclick = ({ target }) => this.click(target.closest("[data-part]")?.dataset.part);
      this.picture.replaceChildren(this.image, this.over);
    }

    /** Mark the chosen and the next parts, and show the parts that follow the chosen ones. */
    mark(next) {
      for (const root of [this.drawn, this.over]) {
        for (const part of root.querySelectorAll("[data-part]")) {
          const name = part.getAttribute("data-part");
          part.classList.toggle("tt-lit", next.has(name));
          part.classList.toggle("tt-chosen", [...this.prefix, ...this.picked.flatMap(({ item }) => item.path)].includes(name));
        }
        for (const piece of root.querySelectorAll("[data-after]")) {
          const isNow = piece.getAttribute("data-after") === this.prefix.join("\n");
          piece.setAttribute("visibility", isNow ? "visible" : "hidden");
        }
      }
      this.image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(this.drawn))}`;
    }

    /** The choices in each order in which their parts can be clicked. */
    get ways() {
      const verbs = [...this.drawn.querySelectorAll("[data-verb]")].map((part) => part.getAttribute("data-part"));
      const equals = [...this.drawn.querySelectorAll("[data-like]")].map(({ dataset }) => [dataset.part, dataset.like]);
      return this.paths.eitherWay(this.paths.withEquals(this.choicesWithItems, equals), new Set(verbs));
    }

    get choicesWithItems() {
      return this.paths.withItems(this.state.choices);
    }

    toggle(entry) {
      this.picked = this.paths.toggled(this.picked, entry) ?? this.picked;
      this.prefix = entry.set.path;
      this.choose();
    }

    click(part) {
      if (!part || this.isBusy) return;
      const choices = this.ways;
      const at = this.prefix.indexOf(part);
      let led = this.paths.step(choices, this.prefix, part);
      // Go back to a chosen part, or to the start after a click on the last chosen part.
      if (!led && at >= 0) led = { prefix: part === this.prefix.at(-1) ? [] : this.prefix.slice(0, at + 1) };
      led ??= this.paths.step(choices, [], part);
      this.prefix = led?.prefix ?? [];
      if (led?.send?.set) return void this.toggle(led.send);
      if (led?.send) return void this.act(led.send.words);
      this.say(led ? "" : "You cannot use that now.");
      this.choose();
    }

    /** Display the choices that start with the chosen parts as buttons, the next parts, and the question. */
    choose() {
      const { more, undo, prompt } = this.state;
      const chosen = this.drawn.querySelector(`[data-part="${CSS.escape(this.prefix.at(-1) ?? "")}"]`);
      const wanted = chosen?.getAttribute("data-then") ?? prompt;
      if (this.prompt.textContent !== wanted) this.prompt.textContent = wanted;
      const { ways } = this;
      const shown = this.prefix.length ? this.paths.within(ways, this.prefix) : this.choicesWithItems;
      this.mark(this.paths.nextParts(this.paths.withoutChosen(ways, this.picked), this.prefix));
      const held = this.choices.contains(document.activeElement) ? document.activeElement : null;
      const buttons = shown.map((choice) => {
        if (!choice.set) return make("button", { type: "button", onclick: () => this.act(choice.words) }, choice.label);
        const isPicked = this.picked.some(({ id }) => id === choice.id);
        return make("button", { type: "button", "aria-pressed": String(isPicked), onclick: () => this.toggle(choice) }, choice.label);
      });
      for (const set of this.paths.setsAt(ways, this.prefix)) {
        const chosen = this.paths.chosenOf(this.picked, set);
        const play = () => this.act(this.paths.ofItems(set, chosen).words);
        buttons.push(make("button", { type: "button", disabled: chosen.length < set.several.low, onclick: play }, this.paths.doneLabel(set, chosen.length)));
      }
      if (this.prefix.length) buttons.push(make("button", { type: "button", onclick: () => { this.prefix = []; this.choose(); } }, "Show all"));
      if (more) buttons.push(make("span", {}, `and ${more} more, to be typed`));
      this.undoing.disabled = !undo;
      this.choices.replaceChildren(...buttons, this.undoing);
      const goesOn = held === this.undoing && undo ? this.undoing : buttons[0] ?? this.choices;
      if (held) goesOn.focus({ preventScroll: true });
    }

    sit({ seats, players, numbers }) {
      const said = JSON.stringify([seats, players, numbers]);
      if (said === this.sitting) return;
      this.sitting = said;
      const option = (value, chosen, words = value) => make("option", { value, selected: value === chosen }, String(words));
      const many = make("select", { onchange: () => this.play(Number(many.value)) }, ...numbers.map((it) => option(it, seats.length)));
      const each = seats.map(({ name, player }, number) => {
        const names = players.includes(player) ? players : [player, ...players];
        const select = make("select", { onchange: () => this.ask({ do: "seat", number, player: select.value }) },
          ...names.map((it) => option(it, player, it === "human" ? "you" : it)));
        return make("label", {}, make("span", {}, name), select);
      });
      this.seats.replaceChildren(...(numbers.length > 1 ? [make("label", {}, make("span", {}, "Players"), many)] : []), ...each);
    }
  }

  // The page.

  const trials = [...document.querySelectorAll(".tabletop-try[data-base]")].map((place) => new Trial(place));

  async function openLink() {
    if (!location.hash.startsWith(HASH)) return;
    try {
      const game = await unpacked(location.hash.slice(HASH.length));
      await (trials.find(({ file }) => file === game.file) ?? trials[0]).open(game);
    } catch (error) {
      trials[0].place.append(make("p", { className: "tt-try-note", role: "alert" }, `This link cannot be opened: ${error.message}.`));
    }
  }

  addEventListener("hashchange", openLink);
  openLink();
})();
