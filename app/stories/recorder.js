// The form that records a story on the page: add a stop here, write its caption, save, open.

import { element, setText } from "../widgets/lib/dom.js";

export class Recorder {
  /** `player` returns the player of this page. */
  constructor(model, player) {
    this.model = model;
    this.player = player;
    this.stops = [];
    const button = (text, onclick) => element("button", { type: "button", class: "wy-button", onclick }, text);
    this.start = button("Record a story", () => this.#edit([], ""));
    this.change = button("Edit this story", () => this.#edit(this.source, this.title));
    this.file = element("input", { type: "file", accept: ".json,.toml", hidden: true, onchange: () => this.#read() });
    this.open = button("Open a story file", () => this.file.click());
    this.buttons = [this.start, this.change, this.open, this.file];
    this.name = element("input", { type: "text", maxlength: 120, "aria-label": "Title of the story", placeholder: "Title" });
    this.list = element("ol", { class: "wy-stops" });
    this.words = element("span", { class: "wy-hint", role: "status" });
    this.root = element(
      "section",
      { class: "wy-recorder", "aria-label": "record a story", hidden: true },
      this.name,
      this.list,
      element(
        "div",
        { class: "wy-head" },
        button("Add a stop here", () => this.#add()),
        button("Save file", () => this.#save()),
        button("Try it", () => this.#try()),
        button("Close", () => (this.root.hidden = true)),
        this.words,
      ),
    );
  }

  allow(allowed) {
    for (const one of this.buttons) one.hidden = !allowed || one === this.file;
  }

  /** Shows what can be done: a story needs a run that it can name. */
  offer(origin, source, title) {
    this.origin = origin;
    this.source = source;
    this.title = title ?? "";
    const nameable = Object.keys(origin).length > 0;
    this.start.hidden = !nameable || source.length > 0;
    this.change.hidden = !nameable || !source.length;
    if (!nameable) this.root.hidden = true;
  }

  #edit(stops, title) {
    this.stops = structuredClone(stops);
    this.name.value = title;
    this.root.hidden = false;
    this.#show();
    this.name.focus();
  }

  #add() {
    const player = this.player();
    if (!player) return;
    const pinned = player.stage.view.selected;
    const look = pinned >= 0 ? { look: { vertices: [pinned] } } : {};
    this.stops.push({ step: player.time, caption: player.sentence(player.time - 1), ...look });
    this.#show();
    this.list.lastElementChild.querySelector("textarea").select();
  }

  #show() {
    setText(this.words, this.stops.length ? "" : "Move the player to a step, pin a vertex to point at it, and add a stop.");
    this.list.replaceChildren(...this.stops.map((stop, index) => this.#row(stop, index)));
  }

  #row(stop, index) {
    const field = (name, label) => {
      const area = element("textarea", { rows: 2, maxlength: 2000, "aria-label": `${label} of stop ${index + 1}`, placeholder: label });
      area.value = stop[name] ?? "";
      area.addEventListener("input", () => {
        if (area.value) stop[name] = area.value;
        else delete stop[name];
      });
      return area;
    };
    const remove = element(
      "button",
      { type: "button", class: "wy-button", "aria-label": `Remove stop ${index + 1}`, onclick: () => {
        this.stops.splice(index, 1);
        this.#show();
      } },
      "Remove",
    );
    const at = element("span", { class: "wy-place" }, `step ${stop.step}`);
    return element("li", {}, at, field("caption", "Caption"), field("notes", "Speaker notes"), remove);
  }

  /** The file; the page process checks it when it is opened. */
  #text() {
    const title = this.name.value.trim();
    const empty = this.stops.findIndex(({ caption }) => !caption?.trim());
    if (!title) return this.#refuse("Give the story a title.");
    if (!this.stops.length) return this.#refuse("Add a stop first.");
    if (empty >= 0) return this.#refuse(`Write the caption of stop ${empty + 1}.`);
    return JSON.stringify({ title, ...this.origin, stops: this.stops }, null, 2);
  }

  #refuse(why) {
    setText(this.words, why);
    return "";
  }

  #save() {
    const text = this.#text();
    if (!text) return;
    const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    const name = `${this.name.value.trim().toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "story"}.json`;
    element("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
    setText(this.words, `${name} is saved.`);
  }

  #try() {
    const text = this.#text();
    if (!text) return;
    this.root.hidden = true;
    this.model.send({ kind: "open", name: "recorded.json", text });
  }

  async #read() {
    const [file] = this.file.files;
    this.file.value = "";
    if (file) this.model.send({ kind: "open", name: file.name, text: await file.text() });
  }
}
