// What watching.py asks for: the preprocessor, the compiler, and launches. Texts are JSON.
import { CompileError } from './compiler.js';
import { Machine } from './machine.js';

const OWN = 'your_kernel.cu'; // as gpucore.watching.source.messages.SOURCE_NAME
const PREFIX = '#include "prefix.h"'; // is in the precompiled headers

export class Tools {
  compiler = null; // once it is there
  wanted = false; // whether a run ended because it was not

  // `executor` is the instrumented executor's module.
  constructor(executor) {
    this.executor = executor;
  }

  preprocess(words, files) {
    const args = ['--target=wasm32-wasip1', ...JSON.parse(words)];
    const { code, out, err } = this.#ready().clang(args, asTree(JSON.parse(files)));
    return JSON.stringify({ code, out: out.text, err });
  }

  compile(unit) {
    try {
      return this.#loaded(unit, () => this.compiled(unit));
    } catch (error) {
      if (!(error instanceof CompileError)) throw error;
      return JSON.stringify({ error: error.message });
    }
  }

  compiled(unit) {
    return this.#ready().compile(unit.replace(PREFIX, ''), OWN);
  }

  load(key, about, wasm) {
    return this.#loaded(key, () => ({ ...JSON.parse(about), wasm: wasm.toJs() }));
  }

  #ready() {
    this.wanted = !this.compiler;
    if (this.wanted) throw new Error('the compiler is not there yet');
    return this.compiler;
  }

  // The last kernel stays loaded, by its key.
  #loaded(key, make) {
    if (key !== this.key) {
      const { wasm, places, variables, warnings } = make();
      this.machine = new Machine(this.executor, wasm, places, variables);
      this.built = { places, warnings, kernels: this.machine.kernels(), variables: this.machine.variables };
      this.key = key;
    }
    return JSON.stringify(this.built);
  }

  launch(text) {
    const launch = JSON.parse(text);
    try {
      return this.machine.launch({ ...launch, name: this.built.kernels[launch.kernel].name });
    } catch (error) {
      this.machine.start(); // an instance that has asked for too much keeps it
      if (!(error instanceof RangeError)) throw error;
      return { refused: 'the browser has no memory for these arrays: take a smaller problem' };
    }
  }
}

// Files by path as folders.
export function asTree(files) {
  const tree = {};
  for (const [path, text] of Object.entries(files)) {
    const parts = [];
    for (const part of path.split('/')) part === '..' ? parts.pop() : parts.push(part);
    const name = parts.pop();
    parts.reduce((folder, part) => (folder[part] ??= {}), tree)[name] = text;
  }
  return tree;
}
