// Numbers the places of a kernel in LLVM's text: WebAssembly has no return addresses, so before every
// call in the visitor's functions the kernel stores the number of the place that it is at.

const NODE = /^!(\d+) = (?:distinct )?!(DI\w+)\((.*)\)$/gm;
const FIELD = /(\w+): (?:!(\d+)|"([^"]*)"|(\w+))/g;
const CALL = /^\s+(?:%[\w.]+ = )?(?:tail |notail |musttail )?call .*!dbg !(\d+)/;
const DEBUG = /, !dbg !(\d+)/;
const NAME = /@("[^"]+"|[\w.$-]+)\(/; // of the function that a line defines or calls
const OF_BLOCK = '@__sanitizer_cov_trace_pc(';

// Returns the text with the stores, and the places by number: [{file, line, block}], 0 is none. A
// place at the beginning of a basic block has the number of its function, and the lines of the block.
// Lanes that are behind in the code go first (lockstep.h), so numbers are in its order.
export function numbered(text, own) {
  const place = placesOf(text, own);
  const found = []; // {at, place, entry}: where in the text, where in the order, and what
  const lines = text.split('\n');
  const turns = functionOrder(lines);
  let number = 0, block = null, order = null, turn = 0;
  lines.forEach((line, at) => {
    if (line.startsWith('define ')) {
      order = place.isOwn(line.match(/!dbg !(\d+) \{$/)?.[1]) ? blockOrder(lines, at) : null;
      number = turns.get(line.match(NAME)[1]);
    } else if (line === '}') order = null;
    if (!order) return;
    if (order.has(at)) {
      block = null;
      turn = order.get(at);
    }
    let where = place.of(line.match(DEBUG)?.[1]);
    if (where?.line === 0) where = place.after(lines, at) ?? where;
    if (where && block) block.lines.add(where.line);
    if (!where || !CALL.test(line) || line.includes('@llvm.')) return;
    const entry = { ...where, block: null };
    if (line.includes(OF_BLOCK)) entry.block = block = { function: number, lines: new Set([where.line]) };
    found.push({ at, place: [number, turn, at], entry });
  });
  found.sort(({ place: a }, { place: b }) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  const stores = new Map(found.map(({ at }, index) => [at, index + 1]));
  const made = lines.flatMap((line, at) =>
    stores.has(at) ? [`  store i32 ${stores.get(at)}, ptr @simt_site, align 4`, line] : [line]);
  if (!lines.some((line) => line.startsWith('@simt_site = '))) { // racy accesses read it
    const first = made.findIndex((line) => /^(define|declare|@)/.test(line));
    made.splice(first, 0, '@simt_site = external global i32');
  }
  const places = found.map(({ entry: { file, line, block: of } }) =>
    ({ file, line, block: of && { function: of.function, lines: [...of.lines] } }));
  return { text: made.join('\n'), places: [{ file: '', line: 0, block: null }, ...places] };
}

// The turns of functions, from 1: those that are called come before their callers, as a warp runs a
// deeper call first.
function functionOrder(lines) {
  const calls = new Map();
  let called = null;
  for (const line of lines) {
    const name = line.match(NAME)?.[1];
    if (line.startsWith('define ')) calls.set(name, called = []);
    else if (name && CALL.test(line)) called.push(name);
  }
  const turns = new Map(), seen = new Set();
  const visit = (name) => {
    if (seen.has(name) || !calls.has(name)) return;
    seen.add(name);
    calls.get(name).forEach(visit);
    turns.set(name, turns.size + 1);
  };
  for (const name of calls.keys()) visit(name);
  return turns;
}

// The turns of a function's basic blocks, by the lines of their labels: the order of the text, but
// where ways join comes after all that leads there. Clang writes what follows a loop before its body
// if variables of the kernel end there.
function blockOrder(lines, start) {
  const blocks = [{ name: 'entry', at: start + 1, next: [] }];
  for (let at = start + 1; lines[at] !== '}'; at += 1) {
    const label = lines[at].match(/^("[^"]+"|[\w.$-]+):/);
    if (label && at > start + 1) blocks.push({ name: label[1], at, next: [] });
    else if (label) blocks[0].name = label[1];
    for (const [, name] of lines[at].matchAll(/label %("[^"]+"|[\w.$-]+)/g)) blocks.at(-1).next.push(name);
  }
  const named = new Map(blocks.map((block) => [block.name, block]));
  const waits = new Map(blocks.map((block) => [block, 0]));
  const forward = new Map();
  const open = new Set(); // blocks on the way here: an edge to one of them closes a loop
  const visit = (block) => {
    forward.set(block, []);
    open.add(block);
    for (const next of block.next.map((name) => named.get(name))) {
      if (open.has(next)) continue;
      forward.get(block).push(next);
      waits.set(next, waits.get(next) + 1);
      if (!forward.has(next)) visit(next);
    }
    open.delete(block);
  };
  visit(blocks[0]);
  const turns = new Map();
  const left = blocks.filter((block) => forward.has(block));
  while (left.length) {
    const [block] = left.splice(left.findIndex((one) => !waits.get(one)), 1);
    turns.set(block.at, turns.size);
    for (const next of forward.get(block)) waits.set(next, waits.get(next) - 1);
  }
  return turns;
}

// Where in the visitor's code the nodes of debug information are.
function placesOf(text, own) {
  const nodes = new Map();
  for (const [, id, kind, rest] of text.matchAll(NODE)) {
    const node = { kind };
    for (const [, name, ...values] of rest.matchAll(FIELD)) node[name] = values.find((v) => v !== undefined);
    nodes.set(id, node);
  }
  const files = new Map();
  const fileOf = (id) => {
    if (!files.has(id)) {
      const node = nodes.get(id);
      files.set(id, node?.file ? nodes.get(node.file)?.filename : node?.scope && fileOf(node.scope));
    }
    return files.get(id);
  };
  // The innermost call in the visitor's own code.
  const of = (id) => {
    for (let node = nodes.get(id); node; node = nodes.get(node.inlinedAt)) {
      if (fileOf(node.scope)?.endsWith(own)) {
        return { file: own, line: Number(node.line) };
      }
    }
    return null;
  };
  // Clang takes the line away from what it moves, as out of a loop: then it is the line of what uses
  // the value that is read here, or else the next one that the block has.
  const after = (lines, start) => {
    const value = lines[start + 1].match(/^\s+(%[\w.]+) = load /)?.[1];
    let next = null, joined = false;
    for (let at = start + 1; lines[at] !== '}'; at += 1) {
      joined ||= lines[at] === '';
      const where = of(lines[at].match(DEBUG)?.[1]);
      if (!where?.line) continue;
      if (lines[at].split(/[\s,()]+/).slice(2).includes(value)) return where;
      if (!joined) next ??= where;
    }
    return next;
  };
  return { of, after, isOwn: (id) => Boolean(id && fileOf(id)?.endsWith(own)) };
}
