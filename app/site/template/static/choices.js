// A menu shows what is chosen in full: on several lines, or, in a browser whose menus have one line, below
// the menu.
(function () {
  "use strict";

  const MENUS = ".widget-dropdown > select";
  const pen = document.createElement("canvas").getContext("2d");
  const { get, set } = Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "selectedIndex");

  /** Whether menus of this browser break lines: this one is higher than one line then. */
  function breaksLines() {
    const menu = document.createElement("select");
    menu.style.cssText = "position: absolute; appearance: none; width: 60px; font: 14px/1 serif; padding: 0; white-space: normal";
    menu.append(new Option("one two three four five six"));
    document.body.append(menu);
    const high = menu.offsetHeight;
    menu.remove();
    return high > 28;
  }

  /** Writes what is chosen below a menu that cuts it. */
  function writeBelow(menu) {
    const { font, paddingLeft, paddingRight } = getComputedStyle(menu);
    const text = menu.selectedOptions[0]?.text ?? "";
    pen.font = font;
    const room = menu.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    const cut = room > 0 && pen.measureText(text).width > room;
    menu.parentElement?.toggleAttribute("data-chosen", cut);
    if (cut) menu.parentElement.setAttribute("data-chosen", text);
  }

  /** The widget sets the index without an event. */
  function follow(menu, sizes) {
    const index = { get, set(value) { set.call(this, value); writeBelow(this); } };
    Object.defineProperty(menu, "selectedIndex", { ...index, configurable: true });
    menu.addEventListener("change", () => writeBelow(menu));
    sizes.observe(menu);
  }

  /** The widget's options have spaces at which no line ends. */
  function breakable(option) {
    if (option.text.includes("\u00a0")) option.textContent = option.textContent.replaceAll("\u00a0", " ");
  }

  document.addEventListener("DOMContentLoaded", () => {
    const sizes = breaksLines() ? null : new ResizeObserver((changed) => changed.forEach(({ target }) => writeBelow(target)));
    const known = new WeakSet();
    const meet = (node) => {
      if (node.nodeType !== Node.ELEMENT_NODE) return;
      const inside = (names) => [...(node.matches(names) ? [node] : []), ...node.querySelectorAll(names)];
      inside(`${MENUS} > option`).forEach(breakable);
      if (!sizes) return;
      for (const menu of inside(MENUS).filter((one) => !known.has(one))) {
        known.add(menu);
        follow(menu, sizes);
      }
    };
    meet(document.body);
    const added = (records) => records.forEach(({ addedNodes }) => addedNodes.forEach(meet));
    new MutationObserver(added).observe(document.body, { childList: true, subtree: true });
  });
})();
