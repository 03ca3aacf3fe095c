// The frame of drop.html: an empty page until the page around it sends the pieces of a record. None of
// them is a script: they come as a message, and the frame's policy runs the scripts of its own only.

import { start } from "./page.js";
import { chartsOf, elementsOf, textOf } from "./received.js";

const byId = (id) => document.getElementById(id);
const find = (selector) => document.querySelector(selector);

/** Waits for the pieces, and says so. */
export function wait() {
  addEventListener("message", take);
  parent.postMessage({ source: "warplens", type: "waiting" }, "*");
}

async function take({ source, data }) {
  if (source !== parent || data?.type !== "warplens:pieces") return;
  removeEventListener("message", take);
  try {
    fill(data.pieces);
    await start();
  } catch {
    parent.postMessage({ source: "warplens", type: "failed" }, "*");
  }
}

function fill({ title, look, coded, wide, results, made, data, packed }) {
  document.title = find("h1").textContent = textOf(title);
  find(".pub-head").append(elementsOf(look));
  find(".pub-stage").toggleAttribute("data-code", coded !== "");
  byId("results").toggleAttribute("data-wide", wide !== "");
  byId("results").append(elementsOf(results));
  find(".pub-foot p").textContent = textOf(made);
  const content = JSON.parse(data);
  byId("data").textContent = JSON.stringify({ ...content, charts: chartsOf(content.charts) });
  byId("packed").textContent = packed;
}
