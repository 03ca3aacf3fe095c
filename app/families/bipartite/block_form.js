// A matrix in block triangular form: its entries in the colours of the coarse parts, the fine
// blocks outlined, the matching along the diagonals; and the same matrix in its own order.

import { drawBlocks, drawPoints, drawRaster, drawWash } from "./block_paint.js";
import { element, setText } from "warplens/dom.js";
import { followTheme } from "warplens/theme.js";
import { counted } from "warplens/words.js";

const WIDEST = 640; // pixels
const HIGHEST = 560;
const NARROWEST = 140;
const TURN = 700; // milliseconds from one order to the other
const PARTS = ["horizontal part", "square part", "vertical part"];

export function render({ model, el }) {
  let form = null;
  const show = () => {
    form?.stop();
    const header = model.get("header");
    const ask = (kind) => model.send({ kind });
    form = header?.shape ? new BlockForm(header, model.get("cells"), ask) : null;
    const text = model.get("placeholder");
    el.replaceChildren(form ? form.root : element("p", { class: "wp wb-nothing" }, text));
    form?.start();
  };
  const onMessage = (content, buffers) => {
    if (content.kind === "file") save(content.name, buffers[0]);
  };
  model.on("change:header", show);
  model.on("change:placeholder", show);
  model.on("msg:custom", onMessage);
  show();
  return () => form?.stop();
}

function save(name, content) {
  const address = URL.createObjectURL(new Blob([content], { type: "text/csv" }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** The arrays of the picture, as views of its bytes. */
function arraysOf({ mode, shape, grid }, bytes) {
  let at = bytes.byteOffset;
  const take = (Kind, length) => {
    const part = new Kind(bytes.buffer.slice(at, at + length * Kind.BYTES_PER_ELEMENT));
    at += length * Kind.BYTES_PER_ELEMENT;
    return part;
  };
  if (mode === "raster") {
    const size = grid[0] * grid[1];
    return [0, 1].map(() => ({ density: take(Uint8Array, size), kind: take(Uint8Array, size) }));
  }
  const count = (bytes.byteLength - 4 * (shape[0] + shape[1])) / 9;
  const row = take(Int32Array, count);
  const column = take(Int32Array, count);
  const rowPlace = take(Int32Array, shape[0]);
  return { row, column, rowPlace, columnPlace: take(Int32Array, shape[1]), kind: take(Uint8Array, count) };
}

class BlockForm {
  constructor(header, bytes, ask) {
    this.header = header;
    this.cells = arraysOf(header, bytes);
    /** 0 is the matrix's own order, 1 that of the decomposition. */
    this.turned = 1;
    this.canvas = element("canvas", { role: "img" });
    this.at = element("p", { class: "wb-at", "aria-live": "polite" });
    this.canvas.addEventListener("pointermove", ({ offsetX, offsetY }) => this.#point({ offsetX, offsetY }));
    this.canvas.addEventListener("pointerleave", () => this.#point(null));
    const button = (text, act, pressed) =>
      element("button", { type: "button", class: "wp-plain", "aria-pressed": pressed ?? null, onclick: act }, text);
    this.orders = [button("Original order", () => this.turn(0), "false"), button("Block triangular", () => this.turn(1), "true")];
    this.signs = header.parts.map(([name, text]) =>
      element("li", {}, element("i"), element("span", {}, element("b", {}, name), ` ${text}`)));
    this.matched = element("li", {}, element("i"), element("span", {}, element("b", {}, "Matched entries")));
    this.figure = element("figure", { class: "wb-figure" }, this.canvas, this.at);
    this.root = element(
      "section",
      { class: "wp wb", "aria-label": "block triangular form" },
      element("div", { class: "wb-tools", role: "group", "aria-label": "order of rows and columns" }, ...this.orders),
      element(
        "div",
        { class: "wb-body" },
        this.figure,
        element(
          "div",
          { class: "wb-said" },
          element("ul", { class: "wb-parts" }, ...this.signs, this.matched),
          element("p", {}, header.words),
          element(
            "div",
            { class: "wb-tools" },
            button("Save the matching (CSV)", () => ask("matching")),
            button("Save the order (CSV)", () => ask("order")),
          ),
        ),
      ),
    );
    this.#say();
  }

  start() {
    this.unfollow = followTheme(this.root, [], (theme) => this.#recolour(theme));
    this.observer = new ResizeObserver(() => this.#resize());
    this.observer.observe(this.figure);
  }

  stop() {
    cancelAnimationFrame(this.frame);
    this.unfollow?.();
    this.observer?.disconnect();
  }

  /** Moves the entries to the other order; animated if they are few and motion is allowed. */
  turn(to) {
    this.orders.forEach((button, order) => button.setAttribute("aria-pressed", String(order === to)));
    cancelAnimationFrame(this.frame);
    const from = this.turned;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches || this.header.mode === "raster";
    const begin = performance.now();
    const step = (now) => {
      const part = still ? 1 : Math.min(1, Math.max(0, now - begin) / TURN);
      this.turned = from + (to - from) * part * part * (3 - 2 * part);
      this.draw();
      if (part < 1) this.frame = requestAnimationFrame(step);
      else this.#point(this.pointer);
    };
    this.#say();
    step(begin);
  }

  #recolour(theme) {
    this.colours = {
      parts: [theme["category-1"], theme["category-0"], theme["category-3"], theme.minor],
      matched: theme.done,
      ground: theme.ground,
      line: theme.line,
      text: theme.text,
    };
    this.signs.forEach((sign, part) => sign.style.setProperty("--part", this.colours.parts[part]));
    this.matched.style.setProperty("--part", theme.done);
    this.#resize();
  }

  #resize() {
    const wide = Math.min(WIDEST, this.figure.clientWidth);
    if (!wide || !this.colours) return;
    const [rows, columns] = this.header.shape;
    const scale = Math.min(wide / Math.max(columns, 1), HIGHEST / Math.max(rows, 1));
    this.size = [columns * scale, rows * scale].map((side) => Math.round(Math.max(NARROWEST, side)));
    this.size[0] = Math.min(this.size[0], wide);
    this.ratio = Math.min(globalThis.devicePixelRatio || 1, 3);
    this.size.forEach((side, i) => {
      this.canvas[i ? "height" : "width"] = Math.round(side * this.ratio);
      this.canvas.style[i ? "height" : "width"] = `${side}px`;
    });
    this.draw();
  }

  draw() {
    const context = this.canvas.getContext("2d");
    const [wide, high] = this.size;
    const [rows, columns] = this.header.shape;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.fillStyle = this.colours.ground;
    context.fillRect(0, 0, wide, high);
    const place = { x: wide / Math.max(columns, 1), y: high / Math.max(rows, 1), ratio: this.ratio };
    const formed = this.turned === 1;
    if (formed) drawWash(context, this.header, place, this.colours);
    if (this.header.mode === "raster") {
      drawRaster(context, this.cells[formed ? 1 : 0], this.header.grid, this.size, this.colours, formed);
    } else {
      drawPoints(context, this.cells, this.turned, place, this.colours);
    }
    if (formed) drawBlocks(context, this.header, place, this.colours);
    context.strokeStyle = this.colours.line;
    context.lineWidth = 1;
    context.strokeRect(0.5, 0.5, wide - 1, high - 1);
  }

  #say(text) {
    const [rows, columns] = this.header.shape.map((n) => n.toLocaleString("en"));
    const order = this.orders[1].getAttribute("aria-pressed") === "true" ? "block triangular form" : "its original order";
    const whole = `${counted(rows, "row")} by ${counted(columns, "column")}, in ${order}`;
    this.canvas.setAttribute("aria-label", whole);
    setText(this.at, text ?? `${whole}.`);
  }

  /** Describes the row, the column and the block under the pointer. */
  #point(pointer) {
    this.pointer = pointer;
    if (!pointer) return this.#say();
    const { offsetX, offsetY } = pointer;
    const [rows, columns] = this.header.shape;
    const y = Math.floor((offsetY / this.size[1]) * rows);
    const x = Math.floor((offsetX / this.size[0]) * columns);
    if (y < 0 || x < 0 || y >= rows || x >= columns || (this.turned !== 0 && this.turned !== 1)) return;
    const formed = this.turned === 1;
    const where = formed ? `, ${this.#blockAt(y, x)}` : "";
    if (this.header.mode === "raster") {
      this.#say(`${this.#range("rows", y, rows, 0)}, ${this.#range("columns", x, columns, 1)}${where}`);
      return;
    }
    const { rowPlace, columnPlace, row, column, kind } = this.cells;
    const i = formed ? rowPlace.indexOf(y) : y;
    const j = formed ? columnPlace.indexOf(x) : x;
    const entry = row.findIndex((other, k) => other === i && column[k] === j);
    const what = entry < 0 ? "no entry" : kind[entry] >= 4 ? "a matched entry" : "an entry";
    this.#say(`row ${this.#name(i)}, column ${this.#name(rows + j)}: ${what}${where}`);
  }

  #name(vertex) {
    const number = vertex < this.header.shape[0] ? vertex : vertex - this.header.shape[0];
    return this.header.names?.[vertex] ?? String(number);
  }

  #range(word, at, count, side) {
    const cells = this.header.grid[side];
    const cell = Math.floor((at * cells) / count);
    const first = Math.ceil((cell * count) / cells);
    const last = Math.ceil(((cell + 1) * count) / cells) - 1;
    return `${word} ${first.toLocaleString("en")} to ${last.toLocaleString("en")}`;
  }

  #blockAt(y, x) {
    const { rows, columns, blocks } = this.header;
    const part = PARTS.findIndex((_, p) => y < rows[p + 1] && x < columns[p + 1]);
    if (part < 0 || y < rows[part] || x < columns[part]) {
      const below = [0, 1, 2].some((p) => y >= rows[p + 1] && x < columns[p + 1]);
      return below ? "below the parts: only zeros" : "between two parts";
    }
    const block = blocks.find(([top, left, size]) => y >= top && y < top + size && x >= left && x < left + size);
    return block ? `${PARTS[part]}, in a block of ${block[2].toLocaleString("en")}` : PARTS[part];
  }
}
