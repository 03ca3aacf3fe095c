// From the executor's C++ to a module of WebAssembly: clang and lld of @yowasp/clang, then Asyncify of
// binaryen, by which lanes change in the middle of a function.
import { numbered } from './places.js';
import { named } from './variables.js';

const TARGET = ['--target=wasm32-wasip1', '-std=gnu++17', '-fno-exceptions', '-fno-rtti'];
// As in gpucore/watching/toolchain.py, in Clang's words.
const KERNEL = [
  '-DNDEBUG', '-DSIMT_INSTRUMENT', '-DSIMT_TLS=', '-DSIMT_STEM="lab"', '-DRECORD=0', '-O1',
  '-gline-tables-only', '-Xclang', '-fsanitize=thread', '-fsanitize-coverage=trace-pc,bb,no-prune',
  '-mllvm', '-tsan-distinguish-volatile=1', '-mllvm', '-tsan-instrument-read-before-write=1',
  '-mllvm', '-tsan-instrument-func-entry-exit=0',
  '-mllvm', '-tsan-instrument-atomics=0', // the headers' own, which report themselves
  // Two branches that do the same stay two.
  '-mllvm', '-simplifycfg-sink-common=false', '-mllvm', '-simplifycfg-hoist-common=false',
  '-ffp-contract=off', '-fno-math-errno',
  '-fno-strict-aliasing', '-fno-delete-null-pointer-checks', '-Wuninitialized', '-Wno-deprecated-declarations', '-fPIC',
  // Headers of the second name others from the first: '..' leads nowhere in the tools' files.
  '-Isimt', '-Isimt/cuda/include', '-fpch-instantiate-templates', '-Xclang', '-fno-validate-pch',
];
const LINK = [
  'wasm-ld', '--experimental-pic', '-shared', '--no-entry', '--unresolved-symbols=import-dynamic',
  '--export=__wasm_call_ctors', '--export-if-defined=__wasm_apply_data_relocs', '--strip-debug',
];

// As gpucore.watching.toolchain.HEADERS.
const PREFIX = '#include "simt.h"\n#include "cuda/cuda.h"\n';

export class CompileError extends Error {}

export class Compiler {
  // `runLLVM` and `binaryen` are the packages'; `tree` has the headers, as files by folder.
  constructor(runLLVM, binaryen, tree) {
    this.runLLVM = runLLVM;
    this.binaryen = binaryen;
    this.tree = tree;
    this.commands = new Map();
  }

  // Runs a tool to its end; returns its files and what it printed, as bytes.
  run(args, files) {
    const out = new Bytes(), err = new Bytes();
    const done = { code: 0 };
    const { Instance } = WebAssembly;
    WebAssembly.Instance = instanceThat(Instance, { 1: out, 2: err });
    try {
      done.files = this.runLLVM(args, files, { synchronously: true, decodeASCII: false });
    } catch (error) {
      if (typeof error.code !== 'number') throw error;
      Object.assign(done, { files: error.files, code: error.code });
    } finally {
      WebAssembly.Instance = Instance;
    }
    return { ...done, out, err: err.text };
  }

  // Runs one step of the compiler itself: its driver is asked once for each list of options.
  clang(args, files) {
    const key = args.join(' ');
    if (!this.commands.has(key)) {
      const asked = this.run(['clang++', '-###', ...args], files);
      const line = asked.err.split('\n').find((text) => text.startsWith(' "'));
      if (!line) return asked;
      const words = [...line.matchAll(/ (?:([^ "]+)|"((?:[^"\\]|\\.)*)")/g)];
      const command = words.map(([, plain, quoted]) => plain ?? quoted.replace(/\\(.)/g, '$1'));
      this.commands.set(key, command.filter((word, at) => word || at > 0));
    }
    return this.run(this.commands.get(key), files);
  }

  // Compiles what all kernels include, so that a kernel takes a fraction of the time.
  prepare() {
    this.tree['prefix.h'] = PREFIX;
    const made = this.clang([...TARGET, ...KERNEL, '-x', 'c++-header', 'prefix.h', '-o', '-'], this.tree);
    if (made.code) throw new Error(made.err);
    this.headers = made.out.all;
  }

  // Returns a module of a kernel, its places and variables, and the compiler's warnings.
  compile(unit, own) {
    const front = this.clang(
      [...TARGET, ...KERNEL, '-include-pch', 'prefix.pch', '-S', '-emit-llvm', 'unit.cpp', '-o', '-'],
      { ...this.tree, 'prefix.pch': this.headers, 'unit.cpp': unit });
    if (front.code) throw new CompileError(front.err);
    const { text: plain, variables } = named(front.out.text);
    const { text, places } = numbered(plain, own);
    const back = this.clang(['--target=wasm32-wasip1', '-O1', '-fPIC', '-c', 'unit.ll', '-o', 'unit.o'], { 'unit.ll': text });
    if (back.code) throw new Error(back.err);
    const exports = variables.flatMap(({ symbol, size }) => [`--export=${symbol}`, `--export=${size}`]);
    const linked = this.run([...LINK, ...exports, 'unit.o', '-o', 'unit.wasm'], { 'unit.o': back.files['unit.o'] });
    if (linked.code) throw new CompileError(linked.err);
    return { wasm: this.asyncified(linked.files['unit.wasm']), places, variables, warnings: front.err };
  }

  asyncified(wasm) {
    const { binaryen } = this;
    const { MutableGlobals, BulkMemory, BulkMemoryOpt, SignExt, NontrappingFPToInt } = binaryen.Features;
    const module = binaryen.readBinary(wasm);
    try {
      module.setFeatures(MutableGlobals | BulkMemory | BulkMemoryOpt | SignExt | NontrappingFPToInt);
      binaryen.setOptimizeLevel(1);
      binaryen.setPassArgument('asyncify-import-globals', 'true');
      module.runPasses(['asyncify', 'simplify-locals', 'vacuum', 'coalesce-locals']);
      return module.emitBinary();
    } finally {
      module.dispose();
    }
  }
}

// WebAssembly.Instance, but for what a tool prints, by its descriptor. Clang prints a word at a time
// and without a buffer; the package's own way takes longer for all of them than all else does.
function instanceThat(Instance, printed) {
  return function (module, imports) {
    const wasi = imports?.wasi_snapshot_preview1;
    if (!wasi) return new Instance(module, imports);
    const fd_write = (descriptor, vectors, count, written) => {
      if (!(descriptor in printed)) return wasi.fd_write(descriptor, vectors, count, written);
      const { buffer } = made.exports.memory, view = new DataView(buffer);
      let total = 0;
      for (let at = vectors; at < vectors + 8 * count; at += 8) {
        const length = view.getUint32(at + 4, true);
        printed[descriptor].push(new Uint8Array(buffer, view.getUint32(at, true), length));
        total += length;
      }
      view.setUint32(written, total, true);
      return 0;
    };
    const made = new Instance(module, { ...imports, wasi_snapshot_preview1: { ...wasi, fd_write } });
    return made;
  };
}

// Bytes that come in pieces.
class Bytes {
  #room = new Uint8Array(1 << 16);
  #length = 0;

  push(piece) {
    const length = this.#length + piece.length;
    if (length > this.#room.length) {
      const old = this.#room;
      this.#room = new Uint8Array(2 * length);
      this.#room.set(old);
    }
    this.#room.set(piece, this.#length);
    this.#length = length;
  }

  get all() { return this.#room.slice(0, this.#length); }

  get text() { return new TextDecoder().decode(this.all); }
}
