// What the browser alone can save: the picture, the time axis of warps, and the charts.

import { element } from "../lib/dom.js";
import { chartTable, chartVectors, chartsOf } from "./charts.js";
import { pixelsOf, vectorsOf } from "./picture.js";

const CSV = "text/csv";
const NONE = "No chart yet";
const SVG = "image/svg+xml";

export function save(content, name, type) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A button of the place for exports. */
export function button(text, title, onclick) {
  return element("button", { type: "button", class: "wt-button", title, onclick }, text);
}

/** Buttons under one name. */
export function group(name, ...buttons) {
  return element("div", { class: "wt-buttons", role: "group", "aria-label": name }, element("b", { class: "wt-of" }, name), ...buttons);
}

/** Groups of buttons: for `player()`, with the files' `name()`; `say` reports what was done. */
export function localFiles({ page, player, name, say }) {
  const picture = async (make, ending, type) => {
    const shown = player();
    if (!shown) return;
    const content = await make(shown);
    save(content, `${name()}-${shown.time}.${ending}`, type);
    const pixels = ending === "svg" && content.includes("<image ");
    say(pixels ? "The picture is saved; it has too many marks for vectors, so they are an image in it." : "The picture is saved.");
  };
  const png = async (shown) => {
    const ratio = Math.max(Math.min(globalThis.devicePixelRatio || 1, 2), 1.5);
    const canvas = pixelsOf(shown, name(), ratio);
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  };
  const warps = (make, ending, type) => () => {
    const axis = player()?.axis;
    if (!axis) return say("This run has no events, so nothing says what its warps did when.");
    save(make(axis), `${name()}-warps.${ending}`, type);
    return say("The time axis is saved.");
  };
  const charts = element("select", { class: "wt-button", "aria-label": "Chart", onpointerdown: list, onfocus: list }, element("option", {}, NONE));
  /** The charts that the page has now; the one that was chosen stays. */
  function list() {
    const titles = chartsOf(page()).map(({ title }) => title);
    if (!titles.length) titles.push(NONE);
    if (titles.join("\n") === [...charts.options].map(({ text }) => text).join("\n")) return;
    const { value } = charts;
    charts.replaceChildren(...titles.map((title) => element("option", {}, title)));
    if (titles.includes(value)) charts.value = value;
  }
  const chart = (make, ending, type) => async () => {
    list();
    const found = chartsOf(page())[charts.selectedIndex];
    if (!found) return say("There is no chart yet.");
    const about = found.title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
    save(await make(found.model), `${name()}-${about}.${ending}`, type);
    return say("The chart is saved.");
  };
  return {
    picture: [
      button("PNG", "A picture of the current view", () => picture(png, "png", "image/png")),
      button("SVG", "The current view as vectors, for a paper", () => picture((shown) => vectorsOf(shown, name()), "svg", SVG)),
    ],
    warps: [
      button("Warps (CSV)", "What each warp did when: the numbers behind the time axis", warps((axis) => axis.table(), "csv", CSV)),
      button("Warps (SVG)", "The time axis as vectors, for a paper", warps((axis) => axis.vectors(name()), "svg", SVG)),
    ],
    charts: [
      charts,
      button("Chart (CSV)", "The numbers that the chart draws", chart(chartTable, "csv", CSV)),
      button("Chart (SVG)", "The chart as vectors, for a paper", chart(chartVectors, "svg", SVG)),
    ],
    list,
  };
}
