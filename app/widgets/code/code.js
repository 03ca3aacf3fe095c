// The code widget: pseudo-code whose marked line follows the player's clock, and in the same place the
// kernels' source with a profile of every line.

import { element, setText } from "../lib/dom.js";
import { EditRow } from "./editrow.js";
import { SourcePane } from "./sourcepane.js";
import { TabList } from "../lib/tabs.js";

const AT_REST = "Play the run, and the line of the current event lights up.";

/** The pseudo-code, with the line of one event marked. */
class ListingPane {
  constructor(listing) {
    this.listing = listing;
    this.lines = listing.lines.map((text, index) => {
      const depth = text.length - text.trimStart().length;
      return element(
        "li",
        { value: index + 1, style: `--depth: ${depth / 4}`, class: text ? "" : "wc-gap" },
        element("span", {}, text.trim()),
      );
    });
    this.scroller = element("ol", { class: "wc-lines", tabindex: 0, "aria-label": "pseudo-code" }, ...this.lines);
    this.happened = element("p", { class: "wc-happened" });
    this.why = element("p", { class: "wc-why" });
    this.root = element(
      "section",
      { class: "wc-pane wc-listing" },
      element("h3", {}, listing.title),
      this.scroller,
      element("div", { class: "wc-said" }, this.happened, this.why),
      element("p", { class: "wc-small" }, [listing.note, `${listing.source}.`].filter(Boolean).join(" ")),
    );
    this.mark(null, "");
  }

  mark(step, text) {
    this.lit?.removeAttribute("aria-current");
    this.lit = step ? this.lines[step.line - 1] : null;
    this.lit?.setAttribute("aria-current", "step");
    this.#follow();
    setText(this.happened, step ? text : AT_REST);
    setText(this.why, step ? step.why : "");
    globalThis.dispatchEvent(new CustomEvent("warplens:explained", { detail: { text, why: step?.why ?? "" } }));
  }

  /** Scrolls to the marked line; the page around stays where it is. */
  #follow() {
    if (!this.lit) return;
    const { scroller } = this;
    const top = this.lit.offsetTop;
    const below = top + this.lit.offsetHeight - scroller.clientHeight;
    if (top < scroller.scrollTop || below > scroller.scrollTop) scroller.scrollTop = top - scroller.clientHeight / 3;
  }
}

export function render({ model, el }) {
  let listing = null;
  let source = null;
  const edits = new EditRow(() => model.send({ kind: "edit" }));
  let now = null; // the current event of the player
  let open = 0; // the tab

  const build = () => {
    source?.remove();
    const data = model.get("listing");
    const sources = model.get("sources");
    if (!data?.lines) {
      [listing, source] = [null, null];
      el.replaceChildren();
      return;
    }
    listing = new ListingPane(data);
    const parts = [listing.root];
    source = null;
    if (sources?.length) { // a method without kernels has none
      source = new SourcePane(sources, () => model.send({ kind: "profile" }));
      const tabs = new TabList("Code", (index) => {
        open = index;
        source.reveal();
      });
      tabs.show(["Pseudo-code", "Kernel source"]);
      tabs.select(open, [listing.root, source.root]);
      parts.unshift(tabs.root, edits.root);
      parts.push(source.root);
    }
    el.replaceChildren(element("div", { class: "wc" }, ...parts));
    offer();
    profile();
    mark();
  };
  const edit = () => edits.show(model.get("edit") ?? {});
  const offer = () => source?.offer(model.get("offer"));
  const profile = () => source?.show(model.get("profile"));

  // The same event arrives repeatedly while an animation runs: only changes are drawn.
  const mark = () => {
    if (!listing) return;
    const step = now?.kind ? listing.listing.steps[now.kind] : null;
    listing.mark(step ?? null, now?.text ?? "");
    source?.mark(step?.places ?? {});
  };
  const follow = (event) => {
    now = event.detail;
    mark();
  };

  model.on("change:listing", build);
  model.on("change:sources", build);
  model.on("change:offer", offer);
  model.on("change:profile", profile);
  model.on("change:edit", edit);
  globalThis.addEventListener("warplens:moved", follow);
  edit();
  build();
  return () => {
    model.off("change:listing", build);
    model.off("change:sources", build);
    model.off("change:offer", offer);
    model.off("change:profile", profile);
    model.off("change:edit", edit);
    globalThis.removeEventListener("warplens:moved", follow);
    source?.remove();
  };
}
