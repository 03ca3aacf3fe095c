// The page's compiler in Node, for tools/prebuilding.py: the folder of its scripts, the packages of
// Clang and of Binaryen, and the headers by path as JSON. It answers each line, all of them JSON:
//
//   {words, files}  {code, out, err} of the preprocessor
//   {unit}          {places, variables, warnings} and wasm in base 64, or {error}
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [scripts, clang, binaryen, headers] = process.argv.slice(2);
const { Tools, asTree } = await import(`${scripts}/tools.js`);
const { Compiler } = await import(`${scripts}/compiler.js`);
const { runLLVM } = await import(clang);
await runLLVM(['clang', '--version'], {}, { stdout() {}, stderr() {}, fetchProgress() {} });
const compiler = new Compiler(runLLVM, (await import(binaryen)).default, asTree(JSON.parse(readFileSync(headers))));
compiler.prepare();
const tools = new Tools(null);
tools.compiler = compiler;

for await (const line of createInterface({ input: process.stdin })) {
  const { words, files, unit } = JSON.parse(line);
  process.stdout.write(`${words ? tools.preprocess(words, files) : compiled(unit)}\n`);
}

function compiled(unit) {
  try {
    const { wasm, ...about } = tools.compiled(unit);
    return JSON.stringify({ ...about, wasm: Buffer.from(wasm).toString('base64') });
  } catch (error) {
    return JSON.stringify({ error: error.message });
  }
}
