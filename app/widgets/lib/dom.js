// Small helpers for building the page's elements.

/** element("button", {class: "x", onclick: f, "aria-label": "y"}, "text", child, ...) */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

const ICONS = {
  play: "M7 4.5v15l12.5-7.5z",
  pause: "M6.5 4.5h4v15h-4zM13.5 4.5h4v15h-4z",
  back: "M15.5 5v14L6 12zM17.5 5h2v14h-2z",
  step: "M8.5 5v14L18 12zM4.5 5h2v14h-2z",
  first: "M19 5v14l-8-7zM11 5v14l-8-7z",
  last: "M5 5v14l8-7zM13 5v14l8-7z",
  previous: "M5 16.5 12 8l7 8.5z",
  next: "M5 7.5l7 8.5 7-8.5z",
  start: "M5 5h2.4v14H5zM19 5v14L8.5 12z",
};

export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** Whether the visitor wants less motion. */
export function isCalm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Sets text only where it differs, so that screen readers hear no repetition. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
