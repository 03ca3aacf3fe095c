// A graph whose communities become vertices: the members draw together on a disc whose area is
// their number and whose ring is as wide as the edges inside are heavy.

import { element, isCalm } from "warplens/dom.js";
import { GraphView } from "warplens/graphview.js";

const MILLISECONDS = 650; // for a contraction
const GOLDEN = Math.PI * (3 - Math.sqrt(5));
const APART = 40; // rounds in which discs that cover each other are pushed apart
const MOST_DISCS = 200; // more are left where they are

export class CommunityView extends GraphView {
  static WEIGHTED = false; // edges of contracted vertices have other weights

  constructor(host, meta, arrays, styles) {
    super(host, meta, arrays, styles);
    this.home = { x: this.x, y: this.y };
    this.x = this.home.x.slice();
    this.y = this.home.y.slice();
    this.from = { x: this.x.slice(), y: this.y.slice() };
    this.groups = Int32Array.from(this.x.keys());
    this.discs = [];
    this.contracts = true;
    this.part = 1;
    this.loose = { from: 1, to: 1 };
    this.middle = document.createElement("canvas");
    this.middle.className = "wp-layer";
    this.middle.setAttribute("aria-hidden", "true");
    host.insertBefore(this.middle, this.above.canvas);
    host.append(this.#button());
  }

  #button() {
    const toggle = () => {
      this.contracts = !this.contracts;
      button.setAttribute("aria-pressed", this.contracts);
      this.#start();
      this.redraw?.();
    };
    const label = "Draw contracted vertices together";
    const attributes = { type: "button", class: "wp-contract", title: label, "aria-label": label };
    const button = element("button", { ...attributes, "aria-pressed": "true", onclick: toggle }, "contract");
    button.hidden = true;
    this.button = button;
    return button;
  }

  /** Whether vertices or the camera are moving. */
  get moving() {
    return this.part < 1 || super.moving;
  }

  /** Shows the end of a motion, as another view that draws contracted vertices together or not. */
  arrive({ contracts }) {
    this.contracts = contracts;
    this.part = 1;
    this.loose.to = this.#together ? 0 : 1;
    this.refresh();
  }

  resize(width, height, ratio) {
    this.middle.width = Math.round(width * ratio);
    this.middle.height = Math.round(height * ratio);
    super.resize(width, height, ratio);
  }

  refresh() {
    if (this.groups && this.camera.width > 1) this.#place();
    super.refresh();
  }

  draw(marks, effects, hidden) {
    if (marks.groups && differ(marks.groups, this.groups)) {
      this.groups.set(marks.groups);
      this.#gather();
      this.#start();
    }
    if (this.part < 1) {
      this.part = Math.min(1, (performance.now() - this.born) / MILLISECONDS);
      this.refresh();
    }
    super.draw(marks, effects, hidden);
    this.#drawDiscs(marks);
  }

  remove() {
    super.remove();
    this.middle.remove();
    this.button.remove();
  }

  /** Starts the motion of the vertices from their current places. */
  #start() {
    this.from.x.set(this.x);
    this.from.y.set(this.y);
    this.loose = { from: this.laid.loose, to: this.#together ? 0 : 1 };
    this.born = performance.now();
    this.part = isCalm() ? 1 : 0;
    this.refresh();
  }

  get #together() {
    return this.contracts && this.discs.length > 0;
  }

  /** How much of the current motion is over, slower at its end. */
  get #eased() {
    return 1 - (1 - this.part) ** 3;
  }

  /** Members of a disc stay on it. */
  get laid() {
    if (!this.home) return super.laid;
    const { from, to } = this.loose;
    return { ...this.home, loose: from + (to - from) * this.#eased };
  }

  /** Finds the discs: groups of several vertices, and the weight of the edges inside. */
  #gather() {
    const found = new Map();
    this.groups.forEach((group, vertex) => {
      if (!found.has(group)) found.set(group, { members: [], inner: 0 });
      found.get(group).members.push(vertex);
    });
    let all = 0;
    for (let e = 0; e < this.u.length; ++e) {
      all += this.weight[e];
      const group = this.groups[this.u[e]];
      if (group === this.groups[this.v[e]]) found.get(group).inner += this.weight[e];
    }
    this.discs = [...found.values()].filter(({ members }) => members.length > 1);
    for (const disc of this.discs) {
      disc.share = all ? disc.inner / all : 0;
      const mean = (values) => disc.members.reduce((sum, v) => sum + values[v], 0) / disc.members.length;
      [disc.homeX, disc.homeY] = [mean(this.home.x), mean(this.home.y)];
    }
    this.button.hidden = !this.discs.length;
  }

  /** Places every vertex: at its own position, on its disc, or between the two. */
  #place() {
    const unit = (1.25 * this.camera.radius) / this.camera.scale;
    const [x, y] = [this.home.x.slice(), this.home.y.slice()];
    if (this.contracts) {
      for (const disc of this.discs) {
        [disc.x, disc.y, disc.size] = [disc.homeX, disc.homeY, unit * (Math.sqrt(disc.members.length) + 0.55)];
      }
      if (this.discs.length <= MOST_DISCS) pushApart(this.discs);
      for (const { members, x: middleX, y: middleY } of this.discs) {
        members.forEach((vertex, i) => {
          const far = unit * Math.sqrt(i + 0.3);
          x[vertex] = middleX + far * Math.cos(i * GOLDEN);
          y[vertex] = middleY + far * Math.sin(i * GOLDEN);
        });
      }
    }
    const eased = this.#eased;
    for (let v = 0; v < x.length; ++v) {
      this.x[v] = this.from.x[v] + (x[v] - this.from.x[v]) * eased;
      this.y[v] = this.from.y[v] + (y[v] - this.from.y[v]) * eased;
    }
  }

  #drawDiscs(marks) {
    const context = this.middle.getContext("2d");
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.middle.width, this.middle.height);
    if (!this.contracts || !this.theme) return;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    for (const { members, share, size } of this.discs) {
      const [x, y] = [meanOf(this.X, members), meanOf(this.Y, members)];
      const colour = this.theme[this.styles[marks.classes[members[0]]].colour];
      const radius = size * this.camera.scale;
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.globalAlpha = this.part;
      context.fillStyle = this.theme.ground;
      context.fill();
      context.globalAlpha = 0.18 * this.part;
      context.fillStyle = colour;
      context.fill();
      context.globalAlpha = this.part;
      context.lineWidth = 1.2 + 9 * Math.sqrt(share);
      context.strokeStyle = colour;
      context.stroke();
    }
    context.globalAlpha = 1;
  }
}

/** Moves discs that cover each other away from each other, a little each round. */
function pushApart(discs) {
  for (let round = 0; round < APART; ++round) {
    let still = true;
    for (let i = 0; i < discs.length; ++i) {
      for (let j = 0; j < i; ++j) {
        const [one, other] = [discs[i], discs[j]];
        const [dx, dy] = [one.x - other.x || 1e-3, one.y - other.y];
        const distance = Math.hypot(dx, dy);
        const missing = 1.08 * (one.size + other.size) - distance;
        if (missing <= 0) continue;
        still = false;
        const step = (0.5 * missing) / distance;
        one.x += dx * step;
        one.y += dy * step;
        other.x -= dx * step;
        other.y -= dy * step;
      }
    }
    if (still) return;
  }
}

function meanOf(values, members) {
  let sum = 0;
  for (const v of members) sum += values[v];
  return sum / members.length;
}

function differ(one, other) {
  for (let i = 0; i < one.length; ++i) if (one[i] !== other[i]) return true;
  return false;
}
