// The worker of the engine: fetches its files, starts Pyodide, and Clang and binaryen once a kernel
// has to be compiled, and runs requests.
import { Compiler } from './compiler.js';
import { Tools } from './tools.js';
import { Store } from './store.js';

let store = null, python = null, watching = null, tools = null;

onmessage = async ({ data }) => {
  const asked = data.request !== undefined;
  try {
    if (asked) postMessage({ report: await answer(data.request) });
    else await start(data);
  } catch (error) {
    if (asked) postMessage({ report: JSON.stringify({ error: { kind: error.kind ?? 'request', message: String(error.message) } }) });
    else postMessage({ missing: `the engine cannot start: ${error.message}` });
  }
};

async function start({ base, kept }) {
  store = new Store(base, kept ?? {}, (progress) => postMessage({ progress }));
  await store.open();
  const [executor] = await Promise.all([store.compiled('executor.wasm'), startPython(base)]);
  tools = new Tools(executor);
  watching = python.pyimport('play.watching');
  postMessage({ kept: store.kept });
}

// A run that needs the compiler ends for it, and begins again once it is there.
async function answer(request) {
  try {
    return watching.run(tools, request);
  } catch (error) {
    if (!tools.wanted) throw error;
  }
  tools.compiler = await startCompiler().catch(({ message }) => {
    throw Object.assign(new Error(`the compiler cannot start: ${message}`), { kind: 'missing' });
  });
  postMessage({ kept: store.kept });
  return watching.run(tools, request);
}

async function startCompiler() {
  store.begin('compiler');
  const [binaryen, { runLLVM }] = await Promise.all([
    store.module('binaryen.js').then((module) => module.default),
    import(`${store.base}clang.js`).then(async (clang) => {
      await clang.runLLVM(['clang', '--version'], {}, { stdout() {}, stderr() {}, fetchProgress() {} });
      return clang;
    }),
  ]);
  const compiler = new Compiler(runLLVM, binaryen, { simt: folder(python.FS, '/play/gpucore/simt') });
  compiler.headers = await store.made('prefix.pch', () => {
    compiler.prepare();
    return compiler.headers;
  });
  return compiler;
}

async function startPython(base) {
  const { loadPyodide } = await import(`${base}pyodide.mjs`);
  python = await loadPyodide({ indexURL: base });
  python.FS.mkdirTree('/play');
  python.unpackArchive(await store.bytes('python.zip'), 'zip', { extractDir: '/play' });
  python.runPython('import sys; sys.path.insert(0, "/play")');
}

// A folder of Pyodide's files as the compiler takes it.
function folder(files, path) {
  const tree = {};
  for (const name of files.readdir(path)) {
    if (name === '.' || name === '..') continue;
    const inside = `${path}/${name}`;
    if (files.isDir(files.stat(inside).mode)) tree[name] = folder(files, inside);
    else if (!name.endsWith('.py')) tree[name] = files.readFile(inside, { encoding: 'utf8' });
  }
  return tree;
}
