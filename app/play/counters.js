// What each line costs: requests and sectors of global memory, bank conflicts, and active lanes.

import { element } from "../widgets/lib/dom.js";
import { lineButton } from "./editor.js";
import { stepsPart } from "./steps.js";

const LANES = 32;

/** The panel of memory: a row for each access of the code. */
export function memoryPanel({ lines, remarks }, editor) {
  const rows = lines.filter(({ kind }) => kind !== "block");
  if (!rows.length) return [element("p", {}, "The kernel accesses no memory.")];
  const cells = rows.map((row) => {
    const global = row.kind.startsWith("global");
    const share = global && row.sectors ? row.ideal_sectors / row.sectors : 1;
    return [
      whereOf(row, editor),
      row.kind,
      row.requests.toLocaleString("en"),
      global ? (row.sectors / row.requests).toFixed(1) : "",
      global ? bar(share, `${(row.ideal_sectors / row.requests).toFixed(1)} would do`) : "",
      global ? "" : row.bank_conflicts.toLocaleString("en"),
    ];
  });
  const head = ["Line", "Access", "Requests of a warp", "Sectors a request", "Needed", "Bank conflicts"];
  return [table("Memory by line", head, cells), ...said(remarks.filter(({ measure }) => measure !== "lanes"), editor)];
}

/** The panel of threads: how many lanes of a warp are active in each line. */
export function lanesPanel(report, editor) {
  const { lines, remarks } = report;
  const found = new Map();
  for (const { file, line, kind, lanes, requests } of lines) {
    if (kind !== "block" || file) continue;
    const [active, times] = found.get(line) ?? [0, 0];
    found.set(line, [active + lanes, times + requests]);
  }
  const rows = [...found].sort(([a], [b]) => a - b).map(([line, [active, times]]) => {
    const mean = active / times;
    return [lineButton(editor, line), times.toLocaleString("en"), bar(mean / LANES, `${mean.toFixed(1)} of ${LANES}`)];
  });
  if (!rows.length) return [element("p", {}, "No line was entered.")];
  const note = element("p", { class: "ws-note" }, "Lanes of a warp that take another branch, or have returned, wait. The counts are of pieces of code, so they depend on the compiler.");
  return [...stepsPart(report, editor), table("Active lanes by line", ["Line", "Times that a warp entered", "Active lanes"], rows), note, ...said(remarks.filter(({ measure }) => measure === "lanes"), editor)];
}

function said(remarks, editor) {
  if (!remarks.length) return [];
  const items = remarks.map(({ file, line, text }) => element("li", {}, whereOf({ file, line }, editor), " ", text));
  return [element("h2", {}, "In words"), element("ul", { class: "pl-found" }, ...items)];
}

function whereOf({ file, line }, editor) {
  return file ? element("span", {}, `${file}, ${line}`) : lineButton(editor, line);
}

/** A bar of a share, which is good if it is full, with its text. */
function bar(share, text) {
  const level = share < 0.4 ? "bad" : share < 0.75 ? "mild" : "good";
  return element("span", { class: `pl-bar ${level}`, style: `--share: ${Math.min(share, 1)}` }, element("i", { "aria-hidden": "true" }), element("b", {}, text));
}

function table(label, head, rows) {
  const cell = (content) => element("td", {}, content);
  return element(
    "div",
    { class: "pl-table", tabindex: 0, role: "region", "aria-label": label },
    element("table", {}, element("thead", {}, element("tr", {}, ...head.map((text) => element("th", { scope: "col" }, text)))), element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map(cell))))),
  );
}
