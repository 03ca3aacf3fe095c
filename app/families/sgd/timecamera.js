// Which time steps of a schedule are in sight: zoom and pan go along the time only.

const MOST_ZOOM = 12;

/** Zoom of the columns, and pixels by which the picture is moved from where the clock has it. */
export class TimeCamera {
  constructor() {
    this.reset();
  }

  reset() {
    this.zoom = 1;
    this.moved = 0;
  }

  pan(dx) {
    this.moved -= dx;
  }

  zoomAt(factor) {
    this.zoom = Math.max(1, Math.min(MOST_ZOOM, this.zoom * factor));
  }

  /** Keeps the picture from being moved beyond its ends. */
  limit(least, most) {
    this.moved = Math.max(least, Math.min(most, this.moved));
  }
}
