// The form of a launch: grid, block, shared memory, schedules, and an argument for each parameter of
// the kernel, as its text in the editor names them.

import { element } from "../widgets/lib/dom.js";
import { chosenKernel, threadsOf } from "./copies.js";
import { automatic, kernelsOf } from "./signature.js";

/** Contents of arrays: what is written, what readers see, and what the last field asks for. */
const KINDS = {
  iota: ["0, 1, 2, …", ""],
  zeros: ["zeros", ""],
  ones: ["ones", ""],
  random: ["random", "seed"],
  list: ["a list", "numbers"],
  empty: ["not written", ""],
};

export class LaunchForm {
  /** `state` has the launch; the form changes it in place. */
  constructor(state, changed) {
    this.state = state;
    this.changed = changed;
    this.shape = "";
    this.kernel = element("select", { id: "pl-kernel", onchange: () => this.#set("kernel", this.kernel.value) });
    this.fields = {
      grid: this.#text("grid", "2 or 2,2", /^[1-9]\d*(,[1-9]\d*){0,2}$/),
      block: this.#text("block", "32 or 8,8", /^[1-9]\d*(,[1-9]\d*){0,2}$/),
      shared: this.#number("shared", 0, 1 << 20),
      schedules: this.#number("schedules", 1, 1000),
      seed: this.#number("seed", 0, 2 ** 31 - 1),
    };
    const labels = { grid: "Grid", block: "Block", shared: "Shared bytes", schedules: "Schedules", seed: "Seed" };
    this.choice = element("label", {}, "Kernel", this.kernel);
    this.args = element("div", { class: "pl-args", role: "group", "aria-label": "Arguments" });
    this.root = element(
      "div",
      { class: "pl-launch" },
      element("div", { class: "pl-sizes" }, this.choice, ...Object.entries(this.fields).map(([name, field]) => element("label", {}, labels[name], field))),
      this.args,
    );
  }

  /** Shows the state, and the parameters that the code has now. */
  show(state = this.state) {
    this.state = state;
    for (const [name, field] of Object.entries(this.fields)) {
      if (document.activeElement !== field) field.value = state[name];
      field.removeAttribute("aria-invalid");
    }
    const kernels = kernelsOf(state.code);
    const names = kernels.map(({ name }) => name);
    const parameters = chosenKernel(state)?.parameters ?? [];
    this.choice.hidden = names.length < 2 && !state.kernel;
    if (this.#shape() === this.shape) return;
    const offered = state.kernel && !names.includes(state.kernel) ? [state.kernel, ...names] : names;
    this.kernel.replaceChildren(...offered.map((name) => element("option", {}, name)));
    this.kernel.value = state.kernel || names[0] || "";
    state.args = state.args.slice(0, parameters.length).map((text, number) => fitted(text, parameters[number]));
    this.args.replaceChildren(...parameters.map((parameter, number) => this.#argument(parameter, number)));
    this.shape = this.#shape();
  }

  /** What the fields of arguments depend on. */
  #shape() {
    const { code, kernel, args } = this.state;
    return JSON.stringify([kernelsOf(code), kernel, args, threadsOf(this.state)]);
  }

  #set(name, value) {
    this.state[name] = value;
    this.changed();
  }

  #text(name, title, fits) {
    const field = element("input", { title, inputmode: "numeric", autocomplete: "off" });
    field.addEventListener("input", () => {
      const right = fits.test(field.value);
      field.setAttribute("aria-invalid", String(!right));
      if (right) this.#set(name, field.value);
    });
    return field;
  }

  #number(name, least, most) {
    const field = element("input", { type: "number", min: least, max: most, step: 1 });
    field.addEventListener("input", () => {
      const value = field.valueAsNumber;
      const right = Number.isInteger(value) && value >= least && value <= most;
      field.setAttribute("aria-invalid", String(!right));
      if (right) this.#set(name, value);
    });
    return field;
  }

  #argument(parameter, number) {
    const type = [parameter.constant ? "const" : "", parameter.type || "?", parameter.array ? "array" : ""].filter(Boolean).join(" ");
    const given = this.state.args[number] ?? "auto";
    const text = given === "auto" ? automatic(parameter, threadsOf(this.state)) : given;
    const write = (words) => {
      const { args } = this.state;
      while (args.length < number) args.push("auto");
      args[number] = words;
      this.shape = this.#shape(); // the field has it already, and keeps the focus
      this.changed();
    };
    const name = element("span", { class: "pl-name" }, element("code", {}, parameter.name || `#${number}`), ` ${type}`);
    const inputs = parameter.array ? arrayFields(parameter, text, write) : [scalarField(parameter, text, write)];
    return element("div", { class: "pl-arg", role: "group", "aria-label": `argument ${parameter.name}` }, name, ...inputs);
  }
}

/** An argument that was written for another form of the code, as one of this parameter. */
function fitted(text, { type, array }) {
  const [kind, second] = text.split(":");
  if (array !== kind in KINDS) return "auto";
  if (!array || !type || !/^[a-z]+\d+$|^bool$/.test(second ?? "")) return text;
  return text.replace(`:${second}:`, `:${type}:`);
}

function scalarField({ name }, text, write) {
  const field = element("input", { value: text, "aria-label": `value of ${name}`, autocomplete: "off" });
  field.addEventListener("change", () => write(field.value.trim() || "auto"));
  return field;
}

/** The fields of an array: kind, length or numbers, seed. */
function arrayFields({ name, type }, text, write) {
  const [kind, ...rest] = text.split(":");
  const typed = rest.length && /^[a-z]+\d*$/.test(rest[0]) ? `${rest.shift()}:` : type ? `${type}:` : "";
  const select = element("select", { "aria-label": `contents of ${name}` }, ...Object.entries(KINDS).map(([value, [label]]) => element("option", { value }, label)));
  select.value = kind in KINDS ? kind : "zeros";
  const length = element("input", { type: "number", min: 0, max: 1 << 24, "aria-label": `length of ${name}` });
  const last = element("input", { autocomplete: "off" });
  const listed = kind === "list";
  const count = listed ? (rest[0] ?? "").split(",").length : Number(rest[0]) || 0;
  length.value = count;
  last.value = listed ? (rest[0] ?? "") : (rest[1] ?? "0");
  const shown = () => {
    const wants = KINDS[select.value][1];
    length.hidden = select.value === "list";
    last.hidden = !wants;
    last.setAttribute("aria-label", `${wants || "more"} of ${name}`);
    last.placeholder = wants;
  };
  const put = () => {
    shown();
    const size = Math.max(0, Math.trunc(length.valueAsNumber || 0));
    const words = { list: last.value.replaceAll(/[\s;]+/g, ",").replaceAll(/,+/g, ",").replace(/^,|,$/g, "") || "0", random: `${size}:${Math.trunc(Number(last.value)) || 0}` };
    write(`${select.value}:${typed}${words[select.value] ?? size}`);
  };
  for (const field of [select, length, last]) field.addEventListener("change", put);
  shown();
  return [select, length, last];
}
