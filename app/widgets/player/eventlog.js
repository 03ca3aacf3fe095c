// A list of events.  Only the visible lines exist, so that a million events cost nothing.  Its height
// and scroll position are stored: reading them while the page changes would force the browser to lay
// the page out in every frame.

import { element, setText } from "../lib/dom.js";
import { placeOf } from "./eventindex.js";
import { grouped } from "../lib/words.js";

const ROW = 26; // pixels, as in player.css
const SPARE = 4; // lines beyond the visible edge
const TALLEST = 8e6; // pixels; browsers cannot scroll through much more

export class EventLog {
  /** `text(event)` is its sentence; `go(time)` is called when a line is clicked. */
  constructor(label, length, text, go) {
    this.length = length;
    this.text = text;
    this.go = go;
    this.selection = null;
    this.current = -1;
    this.lines = [];
    this.height = 0;
    this.scrolled = 0;
    this.spacer = element("div", { class: "wp-log-space" });
    this.root = element("div", {
      class: "wp-log",
      role: "list",
      tabindex: 0,
      "aria-label": label,
      onscroll: () => {
        this.scrolled = this.root.scrollTop;
        this.#render();
      },
      onkeydown: (event) => this.#onKey(event),
    });
    this.root.append(this.spacer);
    new ResizeObserver(([{ contentRect }]) => this.#resize(contentRect.height)).observe(this.root);
  }

  #resize(height) {
    if (height === this.height) return;
    this.height = height;
    this.scrolled = this.root.scrollTop;
    this.show(this.time ?? 0);
  }

  get count() {
    return this.selection?.length ?? this.length;
  }

  /** Shows only these events; null for all. */
  select(selection) {
    this.selection = selection;
    this.current = -2;
    this.show(this.time ?? 0);
  }

  /** Marks the last event that has happened, and brings it into view. */
  show(time) {
    this.time = time;
    if (!this.height) return; // closed
    const current = placeOf(this.selection, time) - 1;
    this.#measure();
    if (current !== this.current) {
      this.current = current;
      this.#bringIntoView(Math.max(0, current));
    }
    this.#render();
  }

  #measure() {
    const total = this.count * ROW;
    const tall = Math.min(total, TALLEST);
    if (tall !== this.tall) this.spacer.style.height = `${tall}px`;
    this.tall = tall;
    this.scrolled = Math.min(this.scrolled, Math.max(0, tall - this.height));
    // How far the list moves for each pixel of the scroll bar.
    this.ratio = tall > this.height ? (total - this.height) / (tall - this.height) : 1;
  }

  #bringIntoView(place) {
    const top = this.scrolled * this.ratio;
    const at = place * ROW;
    if (at >= top && at + ROW <= top + this.height) return;
    const most = Math.max(0, this.tall - this.height);
    this.scrolled = Math.round(Math.max(0, Math.min(most, (at - 0.6 * this.height) / this.ratio)));
    this.root.scrollTop = this.scrolled;
  }

  #render() {
    if (!this.height) return;
    const top = this.scrolled * this.ratio;
    const first = Math.max(0, Math.floor(top / ROW) - SPARE);
    const end = Math.min(this.count, Math.ceil((top + this.height) / ROW) + SPARE);
    while (this.lines.length < end - first) this.#addLine();
    this.lines.forEach((line, i) => {
      const place = first + i;
      line.row.hidden = place >= end;
      if (!line.row.hidden) this.#fill(line, place, this.scrolled + place * ROW - top);
    });
  }

  #addLine() {
    const line = { number: element("span"), button: element("button", { type: "button" }) };
    line.button.addEventListener("click", () => this.go(line.event + 1));
    line.row = element("div", { class: "wp-line", role: "listitem" }, line.number, line.button);
    this.lines.push(line);
    this.root.append(line.row);
  }

  #fill(line, place, y) {
    const { row, number, button } = line;
    line.event = this.selection ? this.selection[place] : place;
    row.style.transform = `translateY(${y}px)`;
    row.setAttribute("aria-posinset", place + 1);
    row.setAttribute("aria-setsize", this.count);
    row.classList.toggle("wp-ahead", place > this.current);
    setText(number, grouped(line.event + 1));
    const text = this.text(line.event);
    setText(button, text);
    button.title = text;
    if (place === this.current) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }

  /** Up and down walk through the events that are listed. */
  #onKey(event) {
    const way = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!way) return;
    event.preventDefault();
    const place = Math.max(0, Math.min(this.count - 1, this.current + way));
    if (this.count) this.go((this.selection ? this.selection[place] : place) + 1);
  }
}
