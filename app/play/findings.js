// What a run found, in words: the verdict, races and findings with both lines, results, output.

import { element } from "../widgets/lib/dom.js";
import { lineButton } from "./editor.js";

/** One sentence about a run, as `warplens watch` prints it. */
export function verdict({ name, races, findings, results, schedules }) {
  const count = (list, what) => `${list.length || "no"} ${what}${list.length > 1 ? "s" : ""}`;
  const others = findings.length ? `, ${count(findings, "other finding")}` : "";
  const found = ["no result", "one result"][results] ?? `${results} different results`;
  return `${name}: ${count(races, "data race")}${others}, ${found} in ${schedules} schedule${schedules > 1 ? "s" : ""}`;
}

/** The marks of a report for the editor. */
export function marksOf({ races, same_value: same, findings, remarks }) {
  const own = ({ file }) => !file;
  const pairs = (list, severity) =>
    list.flatMap(({ first, second, text }) => {
      const sides = first.line === second.line ? [first] : [first, second];
      return sides.filter(own).map(({ line }) => ({ line, severity, text }));
    });
  const single = (list, severity) => list.filter(own).map(({ line, text }) => ({ line, severity, text }));
  return [...pairs(races, "error"), ...single(findings, "error"), ...pairs(same, "info"), ...single(remarks, "info")];
}

/** The panel of races and other findings. */
export function racesPanel(report, editor) {
  const { races, same_value: same, findings, warnings } = report;
  if (!races.length && !same.length && !findings.length && !warnings.length) {
    return [element("p", {}, "Nothing is unordered, outside of its array, or left without a barrier, in any of the schedules.")];
  }
  const list = (title, items) => (items.length ? [element("h2", {}, title), element("ul", { class: "pl-found" }, ...items)] : []);
  return [
    ...list("Data races", races.map((race) => pair(race, editor, "bad"))),
    ...list("Other findings", findings.map((one) => element("li", { class: "bad" }, ...place(one, editor), one.text))),
    ...list("Stores of the same value", same.map((race) => pair(race, editor, "mild"))),
    ...list("To know", warnings.map((text) => element("li", { class: "mild" }, text))),
  ];
}

function pair({ first, second, text }, editor, kind) {
  const side = (one) => element("span", { class: "pl-side" }, ...place(one, editor), `${one.kind} by block ${one.block}, thread ${one.thread}`);
  return element("li", { class: kind }, element("div", { class: "pl-sides" }, side(first), side(second)), element("p", {}, text));
}

function place({ file, line }, editor) {
  if (!line) return [];
  return file ? [`${file}, line ${line} `] : [lineButton(editor, line), " "];
}

/** The panel of results: how many, and the arrays after the first schedule. */
export function resultsPanel({ results, schedules, arrays }, names) {
  const many = results > 1 ? "The order of the threads decides the result: another schedule gives another one." : "";
  const count = results === 0 ? "No schedule came to its end." : results === 1 ? `All ${schedules} schedules give the same result.` : `${schedules} schedules give ${results} different results.`;
  const one = ({ type, length, values }, number) => {
    const shown = length > values.length ? `the first ${values.length.toLocaleString("en")} of ${length.toLocaleString("en")}` : `${length.toLocaleString("en")}`;
    const title = `${names[number] ?? `array ${number}`}: ${shown} ${type}`;
    return [element("h2", {}, title), element("p", { class: "pl-values", tabindex: 0, role: "region", "aria-label": title }, values.join(" "))];
  };
  return [element("p", {}, `${count} ${many}`.trim()), element("p", { class: "ws-note" }, "The arrays after the first schedule:"), ...arrays.flatMap(one)];
}

/** The panel of what the kernel printed. */
export function outputPanel({ output }) {
  return [output ? element("pre", { class: "pl-output", tabindex: 0, role: "region", "aria-label": "output" }, output) : element("p", {}, "The kernel printed nothing. printf works as on a GPU.")];
}
