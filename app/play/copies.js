// The state as a program of others: a call of gpucore.watch, a RawKernel of CuPy, a file of CUDA C++.

import { automatic, kernelsOf } from "./signature.js";

const ARRAY = /^(iota|zeros|ones|random|empty)(?::([a-z]+\d+|bool))?:(\d+)(?::(\d+))?$/;
const LIST = /^list:(?:([a-z]+\d+|bool):)?(.+)$/;

/** A Python program that watches the kernel. */
export function asPython(state) {
  const { code, kernel, grid, block, shared, args, schedules, seed } = state;
  const { values, empty } = expressions(state);
  const options = [
    ["grid", tuple(grid.split(","))],
    ["block", tuple(block.split(","))],
    ["args", tuple(values)],
    kernel && ["name", JSON.stringify(kernel)],
    shared && ["shared_mem", shared],
    ["schedules", schedules],
    ["seed", seed],
    empty.length && ["empty", tuple(empty)],
  ].filter(Boolean);
  const written = options.map(([name, value]) => `    ${name}=${value},\n`).join("");
  const preface = args.some((text) => text.startsWith("random:")) ? `\n${RANDOM}\n` : "";
  return `import gpucore\nimport numpy as np\n${preface}\nSOURCE = ${literal(code)}\n\nfound = gpucore.watch(\n    SOURCE,\n${written})\nprint(found)\n`;
}

/** A Python program that launches the kernel on a GPU. */
export function asCupy(state) {
  const { code, grid, block, shared, args } = state;
  const chosen = chosenKernel(state);
  if (!chosen) throw new Error("The code has no kernel to launch.");
  if (chosen.template) throw new Error(`${chosen.name} is a template; CuPy's RawKernel takes a plain kernel.`);
  const plain = code.includes('extern "C"') ? code : code.replaceAll(/\b__global__\b/g, 'extern "C" __global__');
  const { values } = expressions(state, true);
  const preface = args.some((text) => text.startsWith("random:")) ? `\n${RANDOM}\n` : "";
  return `import cupy as cp\nimport numpy as np\n${preface}\nkernel = cp.RawKernel(${literal(plain)}, ${JSON.stringify(chosen.name)}, options=("--std=c++17",))\nargs = ${tuple(values)}\nkernel(${tuple(grid.split(","))}, ${tuple(block.split(","))}, args, shared_mem=${shared})\nprint([one.get() for one in args if isinstance(one, cp.ndarray)])\n`;
}

/** The code as a file that begins with the command that watches it. */
export function asFile(state, file) {
  const { code, kernel, grid, block, shared, args, schedules, seed } = state;
  const words = [`warplens watch ${file}`, `--grid ${grid}`, `--block ${block}`];
  if (kernel) words.push(`--name '${kernel}'`);
  if (shared) words.push(`--shared-mem ${shared}`);
  words.push(...args.map((text) => `--arg ${text}`), `--schedules ${schedules}`, `--seed ${seed}`);
  return `// ${words.join(" ")}\n${code}`;
}

/** The kernel that a state launches, as its text says. */
export function chosenKernel({ code, kernel }) {
  const kernels = kernelsOf(code);
  return kernels.find(({ name }) => name === kernel.split("<")[0]) ?? kernels[0];
}

/** The threads of a launch. */
export function threadsOf({ grid, block }) {
  return [...grid.split(","), ...block.split(",")].reduce((product, part) => product * Number(part), 1);
}

const RANDOM = `
def random(dtype, length, seed):
    generator = np.random.default_rng(seed)
    if np.dtype(dtype).kind in "iu":
        most = min(length, int(np.iinfo(dtype).max) + 1)
        return generator.integers(0, max(most, 1), length).astype(dtype)
    return generator.random(length).astype(dtype)
`;

/** The arguments in Python, and the numbers of those without content. */
function expressions(state, gpu = false) {
  const parameters = chosenKernel(state)?.parameters ?? [];
  const empty = [];
  const values = parameters.map((parameter, number) => {
    const given = state.args[number] ?? "auto";
    const text = given === "auto" ? automatic(parameter, threadsOf(state)) : given;
    if (text.startsWith("empty:")) empty.push(number);
    return expression(text, parameter, gpu);
  });
  return { values, empty };
}

function expression(text, { name, type, array }, gpu) {
  const held = (made) => (gpu ? `cp.asarray(${made})` : made);
  const [, kind, own, length, seed] = ARRAY.exec(text) ?? [];
  const dtype = (mine) => `np.${mine === "bool" ? "bool_" : mine || type || "uint8"}`;
  if (kind === "iota") return held(`np.arange(${length}, dtype=${dtype(own)})`);
  if (kind === "random") return held(`random(${dtype(own)}, ${length}, ${seed ?? 0})`);
  if (kind) return held(`np.${kind}(${length}, ${dtype(own)})`);
  const [, listed, numbers] = LIST.exec(text) ?? [];
  if (numbers) return held(`np.array([${numbers.replaceAll("nan", "np.nan").replaceAll("inf", "np.inf")}], ${dtype(listed)})`);
  if (text === "auto" || array) throw new Error(`Say what ${name} holds: its type is not one that has a value by itself.`);
  const value = { true: "True", false: "False" }[text] ?? text.replace("inf", "np.inf").replace("nan", "np.nan");
  return type ? `${dtype("")}(${value})` : value;
}

const tuple = (parts) => `(${parts.join(", ")}${parts.length === 1 ? "," : ""})`;

/** A literal of Python. */
function literal(code) {
  return code.includes("'''") || /['\\]$/.test(code) ? JSON.stringify(code) : `r'''\n${code}'''`.replace("r'''\n", "r'''");
}
