// The engine of the playground: CUDA C++ compiled and watched in the visitor's browser.
//
// Everything runs in a worker. `open(base, size)` takes the address of the engine's files, and what
// engine.py says of their size.
//
//   const engine = open(base, size);
//   engine.size                  bytes to download, by part: the compiler, if it is there, comes with
//                                the first kernel that is not compiled beforehand
//   await engine.load(progress)  progress({part, done, total}), in bytes; run() loads by itself, too
//   const report = await engine.run(request)
//   engine.stop()                ends a run, which then rejects with kind "stopped"
//
// A request has the options of `warplens watch`:
//
//   code        CUDA C++
//   kernel      its name, or "" if there is one
//   grid, block [x], [x, y] or [x, y, z]
//   shared      bytes of dynamic shared memory
//   args        texts as of --arg: "iota:int32:64", "zeros:float32:128", "random:int32:64:7", "ones:...",
//               "empty:...", "list:int32:5,3,1" (the values themselves), a number, "true", "false", "auto"
//   schedules   how many orders of the threads
//   seed        of the first of them
//
// A report has what `warplens watch FILE --block ... --json` prints, by the same code:
//
//   ok, name    whether nothing is wrong; the kernel
//   findings    [{kind, file, line, text}]; line 0 is the whole kernel, file "" the visitor's code
//   races       [{first, second, text}], each side {file, line, kind, block, thread}
//   same_value  the same, for stores of one value by several threads
//   results     how many different results, over so many `schedules`
//   warnings    texts
//   remarks     [{file, line, measure, text}]: what lines cost
//   lines       [{file, line, kind, requests, lanes, sectors, ideal_sectors, bank_conflicts,
//               cas_failed}]: the counters of the first schedule
//   steps       [{block, warp, file, line, kind, lanes}]: the first instructions of warps in it
//   arrays      [{type, length, values}]: the array arguments after it, up to 1,024 values each
//   output      what the kernel printed in it
//
// A rejected run has an Error whose message is for the visitor, and whose `kind` is "compile" (with
// `marks`, [{line, text}]), "request" (an argument or a size is wrong), "stopped", or "missing" (a
// file of the engine cannot be had).

class EngineError extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
    if (kind === 'compile') {
      const marks = message.matchAll(/^line (\d+): (.*)$/gm);
      this.marks = Array.from(marks, ([, line, text]) => ({ line: Number(line), text }));
    }
  }
}

// `base` is the folder of the engine's files, `size` what engine.py says of them.
export function open(base, size = {}) {
  return new Engine(new URL(base, globalThis.document?.baseURI ?? globalThis.location.href), size);
}

class Engine {
  #base;
  #worker = null;
  #ready = null; // a promise, once the worker is started
  #kept = null; // what a worker after this one begins with
  #run = null; // of the run in progress: {resolve, reject}
  #progress = () => {};

  constructor(base, size) {
    this.#base = base;
    this.size = size;
  }

  load(progress = () => {}) {
    this.#progress = progress;
    this.#ready ??= this.#start();
    return this.#ready;
  }

  async run(request) {
    await this.load(this.#progress);
    if (this.#run) throw new EngineError('request', 'a run is in progress: stop it first');
    return new Promise((resolve, reject) => {
      this.#run = { resolve, reject };
      this.#worker.postMessage({ request: JSON.stringify(request) });
    });
  }

  stop() {
    this.#worker?.terminate();
    this.#worker = null;
    this.#ready = null;
    const run = this.#run;
    this.#run = null;
    run?.reject(new EngineError('stopped', 'the run was stopped'));
    if (this.#kept) this.load(this.#progress).catch(() => {});
  }

  #start() {
    const worker = new Worker(new URL('worker.js', this.#base), { type: 'module' });
    this.#worker = worker;
    return new Promise((resolve, reject) => {
      const missing = (text) => {
        worker.terminate();
        if (this.#worker === worker) this.#ready = this.#worker = null;
        const error = new EngineError('missing', text);
        reject(error);
        this.#run?.reject(error);
        this.#run = null;
      };
      worker.onerror = (event) => missing(`the engine failed: ${event.message ?? 'its files cannot be had'}`);
      worker.onmessage = ({ data }) => {
        if (data.progress) this.#progress(data.progress);
        else if (data.missing) missing(data.missing);
        else if (data.kept) { this.#kept = data.kept; resolve(); }
        else if (this.#worker === worker) this.#answer(JSON.parse(data.report));
      };
      worker.postMessage({ base: this.#base.href, kept: this.#kept });
    });
  }

  #answer(report) {
    const run = this.#run;
    this.#run = null;
    if (report.error) run.reject(new EngineError(report.error.kind, report.error.message));
    else run.resolve(report);
  }
}
