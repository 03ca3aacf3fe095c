// The camera's way from one sight to another, so that the eye keeps its place.

import { isCalm } from "./dom.js";

const MILLISECONDS = 600;

export class Flight {
  /** `to`: {x, y, zoom}; who wants no motion is there at once. */
  constructor(camera, to) {
    this.camera = camera;
    this.from = camera.sight;
    this.to = to;
    this.since = isCalm() ? -Infinity : performance.now();
  }

  /** Moves the camera; returns whether it has arrived. */
  advance() {
    const { from, to } = this;
    const part = Math.min(1, (performance.now() - this.since) / MILLISECONDS);
    const eased = part * part * (3 - 2 * part);
    const zoom = from.zoom * (to.zoom / from.zoom) ** eased;
    // Straight on the screen: what is flown to does not swing out while the zoom changes.
    const far = 1 / to.zoom - 1 / from.zoom;
    const share = Math.abs(far) > 1e-9 ? (1 / zoom - 1 / from.zoom) / far : eased;
    const between = (start, end) => start + (end - start) * share;
    const now = { x: between(from.x, to.x), y: between(from.y, to.y), zoom };
    this.camera.sight = part === 1 ? to : now; // no error of rounding stays
    return part === 1;
  }
}
