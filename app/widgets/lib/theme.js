// Colours of the canvas come from the style sheet, so that pages and themes can set them.

const NAMES = [
  "ground",
  "raised",
  "text",
  "soft",
  "line",
  "edge",
  "vertex",
  "vertex-line",
  "accent",
  "done", // links, and events that lead to the result
  "tried", // arrows, and events that may lead to it
  "undone", // events that undo a change
  "minor", // all others
];
/** Eight colours that colour-blind readers can distinguish (Okabe and Ito 2008), for warps. */
const WARPS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a800", "#7f7f7f"];

/** Colours of classes without order; most colour-blind readers can distinguish them in both themes. */
export const CATEGORIES = [
  "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00",
  "#8f5fc8", "#a3a31a", "#c23b6b", "#35b5a5", "#9a6a3a", "#8a8f98",
];

/** Of a number and the vertex on which it stands. */
const LEAST_CONTRAST = 3;

/** Colours of ordered classes, as in a sunset; the ninth class has the first colour again. */
export const SEQUENCE = [
  "#e39a0b", "#ee7733", "#dd4f4a", "#c23a78", "#9c46b0", "#6f58cc", "#4478dc", "#2b9cc9",
];

/** The colour of a number on a filled vertex: the ground's, unless it is too near to that of the vertex. */
export function inkOn(colour, { ground, text }) {
  const [one, other] = [luminance(colour) + 0.05, luminance(ground) + 0.05];
  return Math.max(one / other, other / one) < LEAST_CONTRAST ? text : ground;
}

/** The relative luminance of "#0072b2" or "rgb(0, 114, 178)", as WCAG 2.2 defines it. */
function luminance(colour) {
  const parts = colour.startsWith("#") ? colour.match(/\w\w/g).map((part) => parseInt(part, 16)) : colour.match(/[\d.]+/g);
  const [red, green, blue] = parts.map((part) => (part / 255 <= 0.04045 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Reads the colours that hold for an element; `more`: names of those that a family has besides. */
function readTheme(element, more = []) {
  const theme = { warps: WARPS, font: getComputedStyle(element).fontFamily };
  // A custom property keeps its light-dark(...); only a colour that is used is one of the two.
  const probe = document.createElement("i");
  probe.hidden = true;
  element.append(probe);
  for (const name of [...NAMES, ...more]) {
    probe.style.color = `var(--wp-${name})`;
    theme[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  CATEGORIES.forEach((colour, i) => (theme[`category-${i}`] = colour));
  SEQUENCE.forEach((colour, i) => (theme[`sequence-${i}`] = colour));
  return theme;
}

/** Calls `apply(theme)` with the colours that hold for an element, now and whenever the page's or the
 *  system's theme may have changed; `more` as above. An element that is not on a page yet has no
 *  colours: a notebook that runs all cells attaches its outputs later. Returns an undo. */
export function followTheme(element, more, apply) {
  let stale = true;
  const changed = () => {
    stale = !element.isConnected;
    if (!stale) apply(readTheme(element, more));
  };
  const attached = new ResizeObserver(() => stale && changed());
  attached.observe(element);
  const unwatch = watchTheme(changed);
  changed();
  return () => {
    unwatch();
    attached.disconnect();
  };
}

/** Calls `changed` when the theme may have changed; returns an undo. */
export function watchTheme(changed) {
  const query = matchMedia("(prefers-color-scheme: dark)");
  query.addEventListener("change", changed);
  const observer = new MutationObserver(changed);
  const attributeFilter = ["class", "style", "data-theme", "data-jp-theme-light"];
  for (const element of [document.documentElement, document.body]) {
    observer.observe(element, { attributes: true, attributeFilter });
  }
  return () => {
    query.removeEventListener("change", changed);
    observer.disconnect();
  };
}
