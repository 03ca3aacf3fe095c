// The lecturer's side of a live class: the run and every step go to the server, which passes them on.

import { element, setText } from "../lib/dom.js";
import { counted } from "../lib/words.js";

/** Milliseconds between two steps that are sent while a replay plays. */
const PACE = 60;
const AGAIN = 1500;
/** Vertices that a lecturer points at, at most; app/classroom/pointing.py has the same number. */
const MOST_RINGS = 64;

export function render({ model, el }) {
  const live = new LiveClass(model, el);
  return () => live.remove();
}

class LiveClass {
  constructor(model, el) {
    this.model = model;
    this.room = null; // {code, secret}
    this.step = 0;
    this.asked = null; // the question, its number here, and whether the answer is shown
    this.questions = 0;
    this.stop = null; // of a story: its caption, and what it looks at
    this.pinned = -1;
    const button = (text, onclick) => element("button", { type: "button", class: "wk-button", onclick }, text);
    this.start = button("Start a class", () => this.#want());
    this.end = button("End the class", () => this.#end());
    this.join = element("p", { class: "wk-join" });
    this.code = element("img", { alt: "QR code of the address of the class", width: 180, height: 180 });
    this.scan = element("details", { class: "wk-scan", open: true, hidden: true }, element("summary", {}, "QR code"), this.code);
    this.said = element("p", { class: "wk-said", role: "status" });
    this.bars = element("dl", { class: "wk-bars", "aria-label": "answers of the class" });
    this.root = element("div", { class: "wk" }, this.start, this.join, this.scan, this.said, this.end, this.bars);
    el.append(this.root);
    this.#show();
    const listen = (target, name, act) => {
      target.addEventListener(name, act);
      return () => target.removeEventListener(name, act);
    };
    const onPage = (message, buffers) => {
      if (message.kind === "page") this.#send(buffers[0]);
      if (message.kind === "code") this.code.src = message.picture;
    };
    const onRun = () => (this.room && model.get("run") ? this.#want() : this.#show());
    model.on("msg:custom", onPage);
    model.on("change:run", onRun);
    this.undo = [
      listen(globalThis, "warplens:moved", ({ detail }) => this.#moved(detail.event)),
      listen(globalThis, "warplens:stop", ({ detail }) => {
        this.stop = detail;
        this.#point();
      }),
      listen(globalThis, "warplens:pinned", ({ detail }) => {
        this.pinned = detail.vertex;
        this.#point();
      }),
      listen(document, "warplens:asked", ({ detail }) => {
        this.asked = detail && { ...detail, number: ++this.questions, known: false };
        this.#ask();
      }),
      listen(document, "warplens:answered", () => {
        if (!this.asked) return;
        this.asked.known = true;
        this.#reveal();
      }),
      () => model.off("msg:custom", onPage),
      () => model.off("change:run", onRun),
    ];
    // A story that was opened before this widget says again where it is.
    globalThis.dispatchEvent(new CustomEvent("warplens:wanted"));
  }

  get #base() {
    return document.body.dataset.baseUrl.replace(/voila\/$/, "");
  }

  get #address() {
    return `${location.origin}${this.#base}class/${this.room.code}`;
  }

  /** Asks the page process for the run as a page. */
  #want() {
    setText(this.said, "Preparing the run for the class …");
    this.model.send({ kind: "page" });
  }

  async #send(buffer) {
    const body = buffer instanceof DataView ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength) : buffer;
    const headers = { "X-Warplens": this.room?.secret ?? "1" };
    const address = this.room ? this.#address : `${this.#base}class`;
    const answer = await fetch(address, { method: this.room ? "PUT" : "POST", headers, body }).catch(() => null);
    if (!answer?.ok) {
      setText(this.said, answer ? await answer.text() : "The server does not answer.");
      return;
    }
    if (this.room) {
      this.#resume(); // steps that came before this page counted for the one before it
    } else {
      this.room = await answer.json();
      this.model.send({ kind: "code", address: this.#address });
      this.#connect();
    }
    this.#show();
  }

  #connect() {
    const { secret } = this.room;
    const address = `${this.#address.replace(/^http/, "ws")}/live?secret=${encodeURIComponent(secret)}`;
    this.socket = new WebSocket(address);
    this.socket.onopen = () => this.#resume();
    this.socket.onmessage = ({ data }) => this.#report(JSON.parse(data));
    this.socket.onclose = ({ code }) => {
      if (!this.room) return;
      if (code >= 4400) this.#forget();
      else this.timer = setTimeout(() => this.room && this.#connect(), AGAIN);
    };
  }

  /** Brings the class to the step and the question of this page; what it knows already is no news. */
  #resume() {
    this.#command({ kind: "step", step: this.step });
    this.#point();
    this.#ask();
    if (this.asked?.known) this.#reveal();
  }

  #command(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Sends the newest step, not more often than students can draw. */
  #moved(step) {
    this.step = step;
    if (this.pacing) return;
    this.#command({ kind: "step", step });
    this.pacing = setTimeout(() => {
      this.pacing = 0;
      if (this.step !== step) this.#moved(this.step);
    }, PACE);
  }

  /** Sends the caption of a story's stop, and what is ringed here: by the stop, or because it is pinned. */
  #point() {
    const { vertices = [], edges = [], warps = [], lanes = null } = this.stop?.look ?? {};
    const ringed = this.pinned < 0 ? vertices : [...vertices.slice(0, MOST_RINGS - 1), this.pinned];
    this.#command({ kind: "point", caption: this.stop?.caption ?? "", vertices: ringed, edges, warps, lanes });
  }

  #ask() {
    if (!this.asked) return this.#command({ kind: "quiet" });
    const { number, ask, choices } = this.asked;
    this.#command({ kind: "ask", number, ask, choices });
  }

  #reveal() {
    const { answer, because } = this.asked;
    this.#command({ kind: "reveal", right: answer, because });
  }

  #report({ students, counts, choices, right }) {
    const answers = counts.reduce((sum, count) => sum + count, 0);
    const many = counted(students, "student");
    setText(this.said, choices.length ? `${many}, ${answers} answered` : many);
    // Bars before the answer is known would give it away.
    this.bars.hidden = right === null || !choices.length;
    const most = Math.max(1, ...counts);
    this.bars.replaceChildren(
      ...choices.flatMap((text, k) => {
        const name = k === right ? "right" : "";
        const bar = element("div", { class: `wk-bar ${name}`, style: `width: ${(100 * counts[k]) / most}%` });
        return [
          element("dt", { class: name }, text),
          element("dd", {}, bar),
          element("dd", { class: name }, String(counts[k])),
        ];
      }),
    );
  }

  async #end() {
    const headers = { "X-Warplens": this.room.secret };
    await fetch(this.#address, { method: "DELETE", headers }).catch(() => null);
    this.#forget();
  }

  #forget() {
    this.room = null;
    this.socket?.close();
    setText(this.said, "");
    this.bars.hidden = true;
    this.#show();
  }

  #show() {
    const { room } = this;
    this.start.hidden = Boolean(room) || !this.model.get("run");
    this.end.hidden = this.join.hidden = this.scan.hidden = !room;
    if (!room) {
      this.bars.hidden = true;
      return;
    }
    this.join.replaceChildren("Students open ", element("b", {}, this.#address));
  }

  remove() {
    clearTimeout(this.timer);
    clearTimeout(this.pacing);
    for (const undo of this.undo) undo();
    this.room = null;
    this.socket?.close();
    this.root.remove();
  }
}
