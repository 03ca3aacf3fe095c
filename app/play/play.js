// The playground: an editor, a launch, and what happened. `start(engine)` gets what runs the code;
// engine.js says how it is asked and what it answers.

import { element, setText } from "../widgets/lib/dom.js";
import { TabList } from "../widgets/lib/tabs.js";
import { asCupy, asFile, asPython, chosenKernel } from "./copies.js";
import { lanesPanel, memoryPanel } from "./counters.js";
import { Editor } from "./editor.js";
import { PlainEditor } from "./plaineditor.js";
import { marksOf, outputPanel, racesPanel, resultsPanel, verdict } from "./findings.js";
import { LaunchForm } from "./launch.js";
import { PuzzlePane } from "./puzzlepane.js";
import { fragmentOf, MOST_CODE, stateFrom, stateOf } from "./state.js";

const byId = (id) => document.getElementById(id);
const TABS = ["Races", "Threads", "Memory", "Results", "Output"];
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

class Playground {
  constructor(engine, puzzles) {
    this.engine = engine;
    this.puzzles = puzzles;
    this.state = stateOf();
    this.run = 0; // number of the last run; an older one is not shown
    const Kind = globalThis.CodeMirror ? Editor : PlainEditor;
    this.editor = new Kind(byId("pl-editor"), { changed: () => this.#edited(), run: () => this.start() });
    this.launch = new LaunchForm(this.state, () => this.#launched());
    this.pane = new PuzzlePane(puzzles, {
      open: (puzzle) => this.#choose(puzzle),
      solve: (puzzle) => this.#take(puzzle.solution),
    });
    byId("pl-puzzles").append(this.pane.root);
    byId("pl-launch").append(this.launch.root);
    this.tabs = new TabList("What happened", (index) => (this.state.tab = index));
    this.tabs.show(TABS);
    this.panels = TABS.map(() => element("div", { class: "pl-panel" }, element("p", {}, "Run the kernel to see what it does.")));
    byId("pl-tabs").append(this.tabs.root, ...this.panels);
    byId("pl-run").onclick = () => this.start();
    byId("pl-stop").onclick = () => this.engine.stop();
    byId("pl-link").onclick = () => this.#offer("Link", () => this.#link());
    byId("pl-python").onclick = () => this.#offer("Python", async () => asPython(this.#now()));
    byId("pl-cupy").onclick = () => this.#offer("CuPy", async () => asCupy(this.#now()));
    byId("pl-file").onclick = () => this.#save();
    setText(byId("pl-size"), `${downloads(engine)} No server sees your code.`);
  }

  /** Shows a state: code, launch, arguments. */
  show(state) {
    this.state = state;
    this.editor.text = state.code;
    this.editor.mark([]);
    this.launch.show(state);
    this.pane.show(state.puzzle);
    this.tabs.select(state.tab, this.panels);
    this.#clear();
  }

  complain(error) {
    setText(byId("pl-verdict"), error.message);
    byId("pl-verdict").className = "bad";
  }

  async start() {
    if (!byId("pl-stop").disabled) return;
    const wrong = byId("pl-launch").querySelector('[aria-invalid="true"]');
    if (wrong) {
      wrong.focus();
      return this.complain(new Error("Correct the marked field first."));
    }
    const number = ++this.run;
    const state = this.#now();
    const { code, kernel, grid, block, shared, args, schedules, seed } = state;
    const sizes = (text) => text.split(",").map(Number);
    this.#busy(true);
    try {
      await this.engine.load(({ part, done, total }) => setText(byId("pl-verdict"), `Loading ${part === "compiler" ? "the compiler" : part}: ${megabytes(done)} of ${megabytes(total)}`));
      setText(byId("pl-verdict"), "Running …");
      const report = await this.engine.run({ code, kernel, grid: sizes(grid), block: sizes(block), shared, args, schedules, seed });
      if (number === this.run) this.#report(report);
    } catch (error) {
      if (number === this.run) this.#failed(error);
    } finally {
      this.#busy(false);
    }
  }

  #report(report) {
    const names = (chosenKernel(this.state)?.parameters ?? []).filter(({ array }) => array).map(({ name }) => name);
    const made = [racesPanel(report, this.editor), lanesPanel(report, this.editor), memoryPanel(report, this.editor), resultsPanel(report, names), outputPanel(report)];
    made.forEach((content, index) => this.panels[index].replaceChildren(...content));
    const found = report.races.length + report.findings.length;
    this.tabs.show(TABS.map((text, index) => (index === 0 && found ? `${text} (${found})` : text)));
    const marks = marksOf(report);
    this.editor.mark(marks);
    const wrong = marks.find(({ severity }) => severity === "error");
    if (wrong) this.editor.reveal(wrong.line);
    setText(byId("pl-verdict"), verdict(report));
    byId("pl-verdict").scrollIntoView({ block: "nearest" }); // it is below the code on a phone
    byId("pl-verdict").className = report.ok ? "good" : "bad";
    this.pane.judge(report);
  }

  #failed(error) {
    this.#clear();
    this.complain(error);
    const marks = (error.marks ?? []).map((mark) => ({ severity: "error", ...mark }));
    this.editor.mark(marks);
    if (marks.length) this.editor.goTo(marks[0].line);
  }

  #busy(busy) {
    byId("pl-run").disabled = busy;
    byId("pl-stop").disabled = !busy;
    if (busy) byId("pl-verdict").className = "";
  }

  #clear() {
    for (const panel of this.panels) panel.replaceChildren(element("p", {}, "Run the kernel to see what it does."));
    this.tabs.show(TABS);
    setText(byId("pl-verdict"), "");
    byId("pl-verdict").className = "";
    this.pane.judge(null);
  }

  #now() {
    this.state.code = this.editor.text;
    if (this.state.code.length > MOST_CODE) throw new Error(`The code has more than ${MOST_CODE.toLocaleString("en")} characters.`);
    return this.state;
  }

  #edited() {
    this.state.code = this.editor.text;
    this.launch.show(this.state);
  }

  #launched() {
    this.launch.show(this.state);
  }

  #choose(puzzle) {
    if (!puzzle) return this.show(stateOf({ ...this.#now(), puzzle: "" }));
    const { name, grid, block, args, start } = puzzle;
    this.show(stateOf({ code: start, grid, block, args: [...args], puzzle: name }));
  }

  #take(code) {
    this.editor.text = code;
    this.editor.mark([]);
    this.editor.focus();
  }

  async #link() {
    const address = new URL(location.href);
    address.hash = await fragmentOf(this.#now());
    history.replaceState(null, "", address.hash);
    return address.href;
  }

  /** Shows a text to copy, and copies it where the browser allows it. */
  async #offer(what, make) {
    const field = byId("pl-copied");
    const said = byId("pl-said");
    byId("pl-copy").hidden = false;
    field.setAttribute("aria-label", what);
    try {
      field.value = await make();
    } catch (error) {
      field.value = "";
      setText(said, error.message);
      return;
    }
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      setText(said, `${what}: copied.`);
    } catch {
      setText(said, `${what}: select all and copy.`);
    }
  }

  #save() {
    const name = `${this.state.puzzle || "kernel"}.cu`;
    const href = URL.createObjectURL(new Blob([asFile(this.#now(), name)], { type: "text/plain" }));
    const link = element("a", { href, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
  }
}

/** What runs download, before the first begins. */
function downloads({ missing, size }) {
  if (missing) return missing;
  const { compiler, ...parts } = size;
  const total = Object.values(parts).reduce((sum, bytes) => sum + bytes, 0);
  if (!total) return "";
  const listed = Object.entries(parts).map(([name, bytes]) => `${name} ${megabytes(bytes)}`).join(", ");
  const first = `Puzzles and our kernels are compiled beforehand: the first run downloads ${megabytes(total)} (${listed}).`;
  if (!compiler) return `${first} The compiler is not on this site: its package could not be fetched when the page was written. Changed code does not run here; Copy as Python runs it on your computer.`;
  return `${first} The first run of changed code downloads the compiler, too: ${megabytes(compiler)}. The browser keeps both.`;
}

/** The engine whose files are in a folder beside the page; `size` is its download by part. Without
 *  them, or from a file, everything else on the page works. */
export async function engineFrom(folder, size) {
  const base = new URL(folder, document.baseURI);
  try {
    const { open } = await import(new URL("engine.js", base));
    return open(base.href, size);
  } catch {
    return withoutEngine("The compiler cannot be loaded: the page needs a web server that has its files, and a recent browser. Copy as Python runs the kernel on your computer.");
  }
}

/** In place of an engine; `words` say why there is none. */
export function withoutEngine(words) {
  return { size: {}, missing: words, load: () => Promise.reject(new Error(words)), stop: () => {} };
}

/** Starts the page; `running` is the engine that runs what the reader writes, or its promise. */
export async function start(running) {
  const engine = await running;
  const { puzzles } = JSON.parse(byId("data").textContent);
  const controls = new URLSearchParams(location.search).get("controls") !== "0";
  document.body.dataset.controls = controls ? "1" : "0";
  const page = new Playground(engine, puzzles);
  const open = async () => {
    const [{ name, grid, block, args, start: code }] = puzzles;
    const first = stateOf({ code, grid, block, args: [...args], puzzle: name });
    try {
      page.show((await stateFrom(location.hash)) ?? first);
    } catch (error) {
      page.show(first);
      page.complain(error);
    }
  };
  addEventListener("hashchange", open);
  await open();
  document.body.dataset.ready = "1";
}
