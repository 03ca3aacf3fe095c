// The engine's files: fetched, decompressed, and kept for the worker that follows a stopped one.

const CACHE = 'warplens-play';

export class Store {
  #progress;
  #fetch = globalThis.fetch.bind(globalThis);
  #done = 0;
  #total = 0;
  #part = 'Python';
  #compiled = new WeakMap(); // a response -> its name

  // `kept` has what an earlier worker kept: modules and bytes, by name.
  constructor(base, kept, progress) {
    this.base = base;
    this.kept = kept;
    this.#progress = progress;
  }

  // From here on, what the packages fetch beside them comes from here.
  async open() {
    this.kept.files ??= await (await this.#get('files.json')).json();
    this.sizes = Object.assign({}, ...Object.values(this.kept.files.parts));
    this.begin('Python', 'executor');
    const { XzReadableStream } = (await import(`${this.base}xz.js`)).default;
    this.unpacked = (stream) => new XzReadableStream(stream);
    globalThis.fetch = (input, init) => {
      const name = String(input.url ?? input).split('/').pop();
      return this.#has(name) ? this.#response(name) : this.#fetch(input, init);
    };
    const { compileStreaming, instantiate } = WebAssembly;
    WebAssembly.compileStreaming = async (source) => {
      const response = await source, name = this.#compiled.get(response);
      if (!name) return compileStreaming.call(WebAssembly, response);
      return (this.kept[name] ??= await compileStreaming.call(WebAssembly, response));
    };
    WebAssembly.instantiateStreaming = async (source, imports) => {
      const module = await WebAssembly.compileStreaming(source);
      return { module, instance: await instantiate.call(WebAssembly, module, imports) };
    };
  }

  // From here on the progress is that of these parts; those that are not there are an error.
  begin(...parts) {
    const found = parts.map((part) => this.kept.files.parts[part]);
    if (found.includes(undefined)) throw new Error('it is not on this site');
    this.#part = parts[0];
    this.#done = 0;
    this.#total = found.flatMap(Object.values).reduce((sum, size) => sum + size, 0);
  }

  // Bytes of a file.
  async bytes(name) {
    return (this.kept[name] ??= await (await this.#response(name)).arrayBuffer());
  }

  // A module of WebAssembly.
  async compiled(name) {
    return (this.kept[name] ??= await WebAssembly.compile(await (await this.#response(name)).arrayBuffer()));
  }

  // A script's module.
  async module(name) {
    const address = URL.createObjectURL(new Blob([await this.bytes(name)], { type: 'text/javascript' }));
    try {
      return await import(address);
    } finally {
      URL.revokeObjectURL(address);
    }
  }

  // What is made once from the files of this version; the browser keeps it where it lets us.
  async made(name, make) {
    if (this.kept[name]) return this.kept[name];
    const address = `${this.base}${name}?${this.kept.files.version}`;
    const cache = await globalThis.caches?.open(CACHE).catch(() => null);
    const found = await cache?.match(address);
    if (found) return (this.kept[name] = new Uint8Array(await found.arrayBuffer()));
    const data = (this.kept[name] = make());
    for (const old of (await cache?.keys()) ?? []) await cache.delete(old);
    await cache?.put(address, new Response(data)).catch(() => {});
    return data;
  }

  #has(name) {
    return name in this.sizes || `${name}.xz` in this.sizes;
  }

  async #response(name) {
    const packed = `${name}.xz` in this.sizes;
    if (this.kept[name] instanceof WebAssembly.Module) return this.#named(new Response(), name);
    const got = await this.#get(packed ? `${name}.xz` : name);
    const body = got.body.pipeThrough(this.#counted());
    const type = name.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream';
    return this.#named(new Response(packed ? this.unpacked(body) : body, { headers: { 'content-type': type } }), name);
  }

  #named(response, name) {
    if (name.endsWith('.wasm')) this.#compiled.set(response, name);
    return response;
  }

  async #get(name) {
    const response = await this.#fetch(`${this.base}${name}`).catch(() => null);
    if (!response?.ok) throw new Error(`its file ${name} cannot be had; is there a network?`);
    return response;
  }

  #counted() {
    return new TransformStream({
      transform: (chunk, controller) => {
        this.#done += chunk.length;
        this.#progress({ part: this.#part, done: this.#done, total: this.#total });
        controller.enqueue(chunk);
      },
    });
  }
}
