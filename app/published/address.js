// The parameters of a page's address, and the frame that shows the page elsewhere.
//
//   step=17         the event at which the page opens
//   stop=3          the stop of a story at which it opens, from 1
//   from=5&to=40    the part that is played
//   loop=1          it is played again and again
//   play=1          it plays at once
//   controls=0      the picture and its caption alone
//   theme=dark      colours: light or dark; see app/theme/theme.js

const whole = (text) => (/^\d{1,9}$/.test(text ?? "") ? Number(text) : null);

/** The parameters of an address; null or false where one is missing or cannot be read. */
export function wishesOf(search) {
  const given = new URLSearchParams(search);
  return {
    step: whole(given.get("step")),
    stop: whole(given.get("stop")),
    from: whole(given.get("from")),
    to: whole(given.get("to")),
    loop: given.get("loop") === "1",
    play: given.get("play") === "1",
    controls: given.get("controls") !== "0",
  };
}

/** The part of a replay of `length` events that the wishes name, whatever they ask for. */
export function partOf({ from, to }, length) {
  const first = Math.min(from ?? 0, length);
  const last = Math.min(to ?? length, length);
  return first < last ? { from: first, to: last } : { from: 0, to: length };
}

/** The frame that shows this page at a place: a step, or a stop of a story. */
export function frameOf(href, { name, value }, title) {
  const address = new URL(href);
  address.hash = "";
  for (const other of ["step", "stop"]) address.searchParams.delete(other);
  address.searchParams.set(name, value);
  const safe = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<iframe src="${safe(address.href)}" title="${safe(title)}" width="100%" height="720" loading="lazy" allowfullscreen></iframe>`;
}
