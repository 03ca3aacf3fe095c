// The graph with a stack of offers for each vertex.  Where vertices are small, a stack becomes a pie;
// before a run vertices are plain.

import { GraphView } from "warplens/graphview.js";
import { reachOf } from "warplens/signs.js";
import { barOf, boxOf, drawBar, drawBox, drawFall, pieSprite, sizesOf } from "./stacks.js";

const SMALLEST = 6.5; // pixels; the radius from which on there is room for a stack
const GROWN = 1.2; // a stack beside the disc of a plain vertex
const MOST = 400; // stacks; more would cost too much in every frame
const EXACT = 4; // slots of a pie; with more sizes in one graph, larger pies have eighths
const EIGHTHS = 8;
const OWN = new Set(["fall", "land"]); // effects that are drawn here
const ROOM = 126; // looks that a vertex may have
const LINES = ["vertex-line", "tried", "done", "done", "minor"]; // by class

export class StackView extends GraphView {
  static ROOM = 1.4; // half the width of a stack

  constructor(host, meta, arrays, styles) {
    super(host, meta, arrays, styles);
    this.classStyles = styles;
    this.labels = this.names;
    this.looks = new Map();
    // Called after effects, below the names.
    this.over = {
      place: (context) => this.#written?.place(context),
      draw: (context, effects) => {
        this.#drawOver(context);
        this.weights?.drawActive(context);
        this.#written?.draw(context, effects);
      },
    };
  }

  /** What stands beside the vertices; a stack has its number in its head, a pie has no room for it. */
  get #written() {
    return this.labels ?? (this.mode === "pie" ? this.numbers : null);
  }

  /** How vertices are drawn: "plain", "pie" or "stack". */
  get mode() {
    if (!this.marks?.ran) return "plain";
    return this.camera.radius >= SMALLEST && this.X.length <= MOST ? "stack" : "pie";
  }

  refresh() {
    const mode = this.mode;
    this.names = mode === "plain" ? this.labels : this.over;
    this.styles = this.classStyles;
    super.refresh();
    if (!this.sprites || mode === "plain") return;
    this.drawn = undefined; // stacks and looks are made again
    if (mode === "pie") {
      this.looks = new Map();
      this.sprites = [];
      this.styles = [];
      return;
    }
    this.sizes = sizesOf(GROWN * this.radius, !this.labels);
    this.radius *= 1.2 * GROWN; // lines end outside of the stacks
    this.reach = reachOf(this.radius);
    const empty = document.createElement("canvas");
    empty.width = empty.height = 1;
    const nothing = { canvas: empty, half: 0, size: 1 };
    this.sprites = this.sprites.map(() => nothing);
    this.warpSprites = this.warpSprites.map(() => nothing);
  }

  /** The slots that are shown: those that neighbours could fill. */
  #slots(vertex) {
    const { capacity, offers: { indptr } } = this.marks;
    const degree = indptr[vertex + 1] - indptr[vertex];
    // b(v) may be far above the degree: a few slots more say that it is not the limit.
    return capacity[vertex] <= Math.max(12, degree) ? capacity[vertex] : degree + 1;
  }

  draw(marks, effects, hidden) {
    const first = this.marks === undefined;
    this.marks = marks;
    if (first) this.refresh();
    if (!this.sprites) return;
    this.own = effects.filter(({ effect }) => OWN.has(effect.type));
    const others = effects.filter(({ effect }) => !OWN.has(effect.type));
    const mode = this.mode;
    if (mode === "stack") this.#makeStacks();
    const classes = mode === "pie" ? this.#pieLooks() : marks.classes;
    super.draw(classes === marks.classes ? marks : { ...marks, classes }, others, hidden);
  }

  /** The offers of every vertex, sorted, once for each state. */
  #makeStacks() {
    if (this.drawn === this.marks.counted) return;
    this.drawn = this.marks.counted;
    const { offers, state } = this.marks;
    this.stacks = Array.from(this.X, (_, v) => offers.stack(state, v));
  }

  /** For every vertex the number of its pie; a pie is drawn when it is first needed. */
  #pieLooks() {
    if (this.drawn === this.marks.counted) return this.pies;
    this.drawn = this.marks.counted;
    const { offers: { count, mutual }, classes, capacity } = this.marks;
    this.exact ??= this.#fewSizes(capacity);
    this.pies ??= new Uint8Array(count.length);
    for (let v = 0; v < count.length; ++v) {
      this.pies[v] = this.#look(this.#slots(v), mutual[v], count[v] - mutual[v], classes[v]);
    }
    return this.pies;
  }

  /** Whether pies can have as many sectors as slots without too many different pies. */
  #fewSizes(capacity) {
    const sizes = new Set(Array.from(capacity, (_, v) => Math.min(this.#slots(v), EIGHTHS)));
    const pies = (slots) => ((slots + 1) * (slots + 2)) / 2 + 1;
    return [...sizes].reduce((sum, slots) => sum + pies(slots), 0) <= ROOM;
  }

  #look(slots, mutual, others, style) {
    if (slots > EIGHTHS || (slots > EXACT && !this.exact)) {
      const part = (k) => (k ? Math.max(1, Math.min(EIGHTHS - (k < slots), Math.round((k * EIGHTHS) / slots))) : 0);
      [mutual, others, slots] = [part(mutual), part(others), EIGHTHS];
    }
    others = Math.min(others, slots - mutual);
    const alone = slots > 0 && mutual + others === 0 && style === 4;
    const key = ((slots * 16 + mutual) * 16 + others) * 2 + alone;
    let look = this.looks.get(key);
    if (look === undefined) {
      look = this.looks.size;
      this.looks.set(key, look);
      this.sprites[look] = pieSprite({ slots, mutual, others, alone }, this.theme, this.radius, this.ratio);
      this.styles[look] = this.classStyles[style];
    }
    return look;
  }

  /** Stacks, and what falls out of them. */
  #drawOver(context) {
    const stacked = this.mode === "stack";
    if (stacked) this.#drawStacks(context);
    for (const { effect, progress, alpha } of this.own) {
      if (effect.type !== "fall") continue;
      const part = Math.max(0, Math.min(1, (progress - effect.begin) / (effect.end - effect.begin)));
      context.globalAlpha = alpha;
      drawFall(context, this.#bottom(effect, stacked), part, Math.max(11, 0.8 * this.radius), this.theme);
    }
    context.globalAlpha = 1;
  }

  /** Where an offer falls from: the place below the last slot. */
  #bottom({ at, weight }, stacked) {
    const [x, y, radius] = [this.X[at], this.Y[at], this.radius];
    if (!stacked) return { x: x - radius, y: y + radius, wide: 2 * radius, high: Math.max(3, radius * 0.7) };
    const slots = this.#slots(at);
    return barOf(boxOf(x, y, this.sizes, slots), this.sizes, slots, this.#share(weight));
  }

  /** The length of a bar, from a weight. */
  #share(weight) {
    const { largest } = this.marks.offers;
    return largest > 0 ? Math.sqrt(Math.max(0, weight) / largest) : 1;
  }

  #drawStacks(context) {
    const { marks, sizes, theme, X, Y, stacks } = this;
    const flying = new Map(); // holder to the proposer whose offer is still under way
    const landed = new Map();
    for (const { effect, progress } of this.own) {
      if (effect.type !== "land") continue;
      (progress < effect.begin ? flying : landed).set(effect.at, effect.offer);
    }
    const far = 3 * sizes.radius;
    for (let v = 0; v < X.length; ++v) {
      if (X[v] < -far || Y[v] < -far || X[v] > this.camera.width + far || Y[v] > this.camera.height + far) continue;
      const slots = this.#slots(v);
      const box = boxOf(X[v], Y[v], sizes, slots);
      const warp = this.byWarp && marks.warps?.[v] >= 0 ? theme.warps[marks.warps[v] % theme.warps.length] : undefined;
      const line = theme[LINES[marks.classes[v]]];
      drawBox(context, box, sizes, slots, { theme, line, warp, text: sizes.headed ? String(v) : "" });
      stacks[v].forEach(({ from, weight, mutual }, place) => {
        if (flying.get(v) === from) return;
        const bar = barOf(box, sizes, place, this.#share(weight));
        drawBar(context, bar, mutual, theme);
        if (landed.get(v) !== from) return;
        context.lineWidth = 1.6;
        context.strokeStyle = theme.accent;
        context.strokeRect(bar.x - 1, bar.y - 1, bar.wide + 2, bar.high + 2);
      });
    }
  }
}
