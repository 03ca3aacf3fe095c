// Plays a record of the visitor's own: reads the part of the file that holds its page, and shows it in
// a frame without an origin.  The frame gets the pieces as a message: no text of a record is ever part of
// a page.
"use strict";

(() => {
  const byId = (name) => document.getElementById(name);
  const MOST = 64 << 20; // bytes of a file
  const MOST_UNPACKED = 256 << 20; // characters of its page
  const [END, ENTRY] = [0x06054b50, 0x02014b50];
  const shell = JSON.parse(byId("shell").textContent);
  const { part, names } = byId("shell").dataset;
  /** What the frame waits for, and the name of its file. */
  let [waiting, shown] = [null, ""];

  async function play(file) {
    say(`Reading ${file.name} …`);
    try {
      if (file.size > MOST) throw new Error(`it has more than ${MOST >> 20} MB`);
      waiting = piecesOf(await unpacked(new Uint8Array(await file.arrayBuffer())));
      shown = file.name;
      byId("shown").srcdoc = shell;
      byId("shown").hidden = false;
      document.title = `${file.name} · Warplens`;
      say(file.name);
    } catch (error) {
      refuse(file.name, error.message);
    }
  }

  function refuse(name, reason) {
    byId("shown").hidden = true;
    byId("shown").removeAttribute("srcdoc");
    say(`${name} cannot be played: ${reason}.`);
  }

  function piecesOf(text) {
    const found = JSON.parse(text);
    const entries = names.split(" ").map((name) => [name, found?.[name]]);
    if (entries.some(([, piece]) => typeof piece !== "string")) throw new Error("it is damaged");
    return Object.fromEntries(entries);
  }

  addEventListener("message", ({ source, data }) => {
    if (source !== byId("shown").contentWindow) return;
    if (data?.type === "failed") refuse(shown, "its page is damaged");
    if (data?.type !== "waiting" || !waiting) return;
    source.postMessage({ type: "warplens:pieces", pieces: waiting }, "*");
    waiting = null;
  });

  /** The text of the part with the page, from the bytes of a zip file. */
  async function unpacked(bytes) {
    const view = new DataView(bytes.buffer);
    let end = bytes.length - 22;
    while (end >= 0 && view.getUint32(end, true) !== END) --end;
    if (end < 0) throw new Error("it is no record");
    let at = view.getUint32(end + 16, true);
    for (let left = view.getUint16(end + 10, true); left > 0; --left) {
      if (at + 46 > bytes.length || view.getUint32(at, true) !== ENTRY) throw new Error("it is damaged");
      const [name, extra, note] = [28, 30, 32].map((place) => view.getUint16(at + place, true));
      if (new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + name)) === part) {
        const [size, start] = [view.getUint32(at + 20, true), view.getUint32(at + 42, true)];
        if (start + 30 > bytes.length) throw new Error("it is damaged");
        const from = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
        return inflated(bytes.subarray(from, from + size));
      }
      at += 46 + name + extra + note;
    }
    throw new Error("it has no page; save it on a dashboard, or write its page with “warplens page”");
  }

  async function inflated(packed) {
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
    const parts = [];
    let length = 0;
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return parts.join("");
      length += value.length;
      if (length > MOST_UNPACKED) throw new Error("its page is too large");
      parts.push(value);
    }
  }

  function say(text) {
    byId("said").textContent = text;
  }

  byId("file").onchange = ({ target }) => target.files[0] && play(target.files[0]);
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) play(file);
  });
})();
