// The executor with one kernel's module, and launches. After a trap an instance is of no use.
import { CompileError } from './compiler.js';

const PAGE = 1 << 16, SPAN = 1 << 26; // bytes of a page of memory, and around an array
const GUARD = 1 << 16, FILL = 0xa5; // as in gpucore/watching/memory/arena.py
const REQUEST = 104, STEP = 288, STEPS = 2000, SITE = 64, RACE = 40, FINDING = 168, ERROR_BYTES = 4096;
const POLICY_RANDOM = 2, YIELD = 0.3, RESIDENT = 4;

export class Machine {
  // `executor` is a module, `wasm` the kernel's, `places` and `variables` those of the compiler.
  constructor(executor, wasm, places, variables) {
    this.executor = executor;
    this.kernel = new WebAssembly.Module(wasm);
    this.placeCount = places.length;
    this.names = variables;
    this.start();
  }

  start() {
    const imports = {};
    const wasi = { clock_time_get: (id, precision, out) => this.clock(out), proc_exit: () => { throw new Error('exit'); } };
    for (const { module, name } of WebAssembly.Module.imports(this.executor)) {
      (imports[module] ??= {})[name] = module === 'warplens' ? () => 0 : wasi[name] ?? (() => 52);
    }
    this.x = new WebAssembly.Instance(this.executor, imports).exports;
    this.x._initialize();
    this.slots = [];
    this.link();
  }

  clock(out) {
    new DataView(this.x.memory.buffer).setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true);
    return 0;
  }

  // Loads the kernel's module as a dynamic library beside the executor (tool conventions, dylink.0).
  link() {
    const { x, kernel } = this;
    const { memory, table } = sizesOf(kernel);
    const room = x.malloc(memory + 16);
    if (!room) throw new CompileError('the browser has no memory for the variables of this source');
    const begin = (room + 15) & ~15;
    new Uint8Array(x.memory.buffer, begin, memory).fill(0);
    const tableBegin = x.__indirect_function_table.grow(table);
    const global = (value, mutable = false) => new WebAssembly.Global({ value: 'i32', mutable }, value);
    const env = {
      ...x, __memory_base: global(begin), __table_base: global(tableBegin),
    };
    const imports = { env, 'GOT.mem': {}, 'GOT.func': {} };
    const later = [];
    for (const { module, name } of WebAssembly.Module.imports(kernel)) {
      if (!Object.hasOwn(imports, module) || (module === 'env' && !Object.hasOwn(env, name))) {
        throw new CompileError(`undefined reference to \`${name}'`);
      }
      if (module !== 'env') later.push([module, name, imports[module][name] = global(0, true)]);
    }
    const own = new WebAssembly.Instance(kernel, imports).exports;
    for (const [module, name, cell] of later) {
      if (module === 'GOT.mem') cell.value = own[name] ? own[name].value + begin : x[name].value;
      else {
        cell.value = x.__indirect_function_table.grow(1);
        x.__indirect_function_table.set(cell.value, own[name] ?? x[name]);
      }
    }
    own.__wasm_apply_data_relocs?.();
    own.__wasm_call_ctors?.();
    x.simt_loaded(this.placeCount, begin, memory);
    this.data = { begin, original: new Uint8Array(x.memory.buffer, begin, memory).slice() };
    this.variables = this.names.map(({ symbol, size }) => ({
      name: symbol, begin: own[symbol].value + begin, bytes: this.view().getUint32(own[size].value + begin, true),
    }));
  }

  view() { return new DataView(this.x.memory.buffer); }

  bytes(begin, length) { return new Uint8Array(this.x.memory.buffer, begin, length); }

  text(begin) {
    const memory = new Uint8Array(this.x.memory.buffer);
    return new TextDecoder().decode(memory.slice(begin, memory.indexOf(0, begin)));
  }

  // The kernels with their parameters; see simt::KernelEntry.
  kernels() {
    return Array.from({ length: this.x.simt_kernel_count() }, (_, index) => {
      const entry = this.x.simt_kernel(index), v = this.view();
      const [name, parameters, count] = [8, 16, 20].map((at) => v.getUint32(entry + at, true));
      return {
        index, name: this.text(name),
        parameters: Array.from({ length: count }, (_, at) => {
          const [kind, size, array, read_only] = [0, 4, 8, 12].map((o) => v.getInt32(parameters + 16 * at + o, true));
          return { kind, size, array, read_only };
        }),
      };
    });
  }

  // Launches once, and returns what it shows; see watching.py.
  launch({ kernel, name, grid, block, shared, steps, arguments: given, number, seed }) {
    const { x } = this, freed = [];
    const room = (bytes) => { const at = x.malloc(bytes + 16); if (!at) throw new RangeError('memory'); freed.push(at); return at; };
    this.bytes(this.data.begin, this.data.original.length).set(this.data.original);
    const regions = [], arrays = [];
    const slots = room(4 * given.length + 8), values = room(16 * given.length + 16), sizes = room(8 * given.length + 8);
    given.forEach((one, at) => {
      const data = fromHex(one.data);
      const slot = one.array || data.length <= 8 ? values + 16 * at : room(data.length);
      this.bytes(values + 16 * at, 16).fill(0);
      let size = 0;
      if (one.array) {
        const memory = this.far(arrays.length, data.length);
        this.bytes(memory, data.length + 2 * GUARD).fill(FILL);
        const written = one.empty ? room(data.length || 1) : 0;
        if (written) this.bytes(written, data.length || 1).fill(0);
        else this.bytes(memory + GUARD, data.length).set(data);
        regions.push([memory + GUARD, data.length, GUARD, written]);
        arrays.push([memory + GUARD, data.length]);
        this.view().setUint32(slot, memory + GUARD, true);
        size = data.length;
      } else this.bytes(slot, data.length).set(data);
      this.view().setUint32(slots + 4 * at, slot, true);
      this.view().setBigUint64(sizes + 8 * at, BigInt(size), true);
    });
    regions.push(...this.variables.map(({ begin, bytes }) => [begin, bytes, 0, 0]));
    if (!regions.length) regions.push([0xfffffff0, 0, 0, 0]);
    const table = room(32 * regions.length);
    const v = this.view();
    regions.forEach((row, at) => row.forEach((value, k) => v.setBigUint64(table + 32 * at + 8 * k, BigInt(value), true)));
    x.simt_watch(table, BigInt(regions.length), BigInt(steps));
    x.simt_instrument(1, number === 0 ? 1 : 0);
    if (number === 0) x.simt_forget_passed();
    x.simt_keep_requests(BigInt(number === 0 ? STEPS : 0));
    const request = this.request(room(REQUEST), { grid, block, shared, number, seed, slots, sizes });
    const stats = room(64), error = room(ERROR_BYTES);
    const shown = { name, refused: '', error: '', stopped: 0 };
    let trapped = false;
    try {
      const outcome = x.simt_launch(kernel, request, stats, error, ERROR_BYTES);
      if (outcome) shown.error = this.text(error) || 'cancelled';
    } catch (problem) {
      if (!(problem instanceof WebAssembly.RuntimeError || problem instanceof RangeError)) throw problem;
      trapped = true;
      shown.stopped = this.view().getUint32(x.simt_site.value, true);
      shown.error = this.crash(problem, error);
    }
    shown.arrays = arrays.map(([begin, length]) => this.bytes(begin, length).slice());
    for (const [key, size] of [['sites', SITE], ['races', RACE], ['findings', FINDING], ['passed', 8], ['kept_requests', STEP]]) {
      const count = Number(x[`simt_${key}`](0, 0n)), at = x.malloc(size * count + 8);
      x[`simt_${key}`](at, BigInt(count));
      shown[key] = this.bytes(at, size * count).slice();
      x.free(at);
    }
    shown.output = this.output();
    x.simt_watch(0, 0n, 0n);
    if (trapped) this.start();
    else freed.forEach((at) => x.free(at));
    return shown;
  }

  // Room for an array with its guards, far from all other memory: an index that is too large reaches
  // what nothing else has. The system has no pages for what nothing touches.
  far(number, bytes) {
    const span = Math.max(SPAN, 4 * (bytes + 2 * GUARD)), slot = this.slots[number];
    if (!slot || slot.span < span) {
      const begin = this.x.memory.grow(span / PAGE + 1 | 0) * PAGE;
      this.slots[number] = { span, begin };
    }
    const { begin, span: own } = this.slots[number];
    return begin + Math.floor((own / 2 - bytes / 2) / 256) * 256;
  }

  // Fills in a simt::Request; the first schedule is the executor's usual order.
  request(at, { grid, block, shared, number, seed, slots, sizes }) {
    const v = this.view(), put = (offset, value) => v.setUint32(at + offset, value, true);
    this.bytes(at, REQUEST).fill(0);
    [0, 1, 2].forEach((k) => { put(4 * k, grid[k] ?? 1); put(12 + 4 * k, block[k] ?? 1); });
    put(24, shared); put(28, 48 << 10);
    put(36, number ? POLICY_RANDOM : 0);
    v.setBigUint64(at + 40, BigInt(number ? seed : 0), true);
    put(48, number ? RESIDENT : 1); put(52, 1);
    put(60, number ? Math.round(YIELD * 65536) : 0);
    put(64, 1);
    put(88, slots); put(92, sizes);
    return at;
  }

  // What the executor says of a trap.
  crash(problem, error) {
    const text = String(problem.message);
    const what = /divide by zero|remainder|divide result/.test(text) ? 'integer division by zero'
      : /out of bounds/.test(text) ? 'an access outside of all memory'
        : /stack|recursion/i.test(text) ? 'stack overflow' : 'the kernel stopped';
    const words = new TextEncoder().encode(`${what}\0`);
    const at = this.x.malloc(words.length);
    this.bytes(at, words.length).set(words);
    this.x.simt_crash(at, error, ERROR_BYTES);
    return this.text(error);
  }

  output() {
    const { x } = this, dropped = x.malloc(8), length = Number(x.simt_output(0, 0n, dropped));
    const at = x.malloc(length + 1);
    x.simt_output(at, BigInt(length), dropped);
    const more = Number(this.view().getBigUint64(dropped, true));
    const text = new TextDecoder().decode(this.bytes(at, length).slice());
    x.free(at);
    x.free(dropped);
    return more ? `${text}\n... and ${more.toLocaleString('en')} more characters\n` : text;
  }
}

function fromHex(text) {
  return Uint8Array.from({ length: text.length / 2 }, (_, at) => parseInt(text.slice(2 * at, 2 * at + 2), 16));
}

// Bytes of memory and elements of the table that a dynamic library asks for.
function sizesOf(module) {
  const info = new Uint8Array(WebAssembly.Module.customSections(module, 'dylink.0')[0]);
  let at = 0;
  const number = () => {
    let value = 0, shift = 0, byte;
    do { byte = info[at++]; value |= (byte & 127) << shift; shift += 7; } while (byte & 128);
    return value;
  };
  while (at < info.length) {
    const kind = number(), end = number() + at;
    if (kind === 1) { const memory = number(); number(); return { memory, table: number() }; }
    at = end;
  }
  return { memory: 0, table: 0 };
}
