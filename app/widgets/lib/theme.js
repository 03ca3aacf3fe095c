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
  "matched",
  "proposal",
  "displaced",
  "refused",
  "blue",
  "red",
  "accent",
];
/** Eight colours that colour-blind eyes can tell apart (Okabe and Ito 2008), for warps. */
const WARPS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a800", "#7f7f7f"];

/** Hues for classes without order, told apart by most colour-blind eyes on light and dark grounds. */
export const HUES = [
  "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00",
  "#8f5fc8", "#a3a31a", "#c23b6b", "#35b5a5", "#9a6a3a", "#8a8f98",
];

/** Waves of a search, in the order of a sunset; the ninth has the first one's colour again. */
export const WAVES = [
  "#e39a0b", "#ee7733", "#dd4f4a", "#c23a78", "#9c46b0", "#6f58cc", "#4478dc", "#2b9cc9",
];

export function readTheme(element) {
  const theme = { warps: WARPS, font: getComputedStyle(element).fontFamily };
  // A custom property keeps its light-dark(...); only a colour that is used is one of the two.
  const probe = document.createElement("i");
  probe.hidden = true;
  element.append(probe);
  for (const name of NAMES) {
    probe.style.color = `var(--wp-${name})`;
    theme[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  HUES.forEach((colour, i) => (theme[`hue-${i}`] = colour));
  WAVES.forEach((colour, i) => (theme[`wave-${i}`] = colour));
  return theme;
}

/** Calls `changed` when the page's or the system's theme may have changed; returns an undo. */
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
