// The charts of a page, in the colours of its theme.

import { element } from "../widgets/lib/dom.js";
import { watchTheme } from "../widgets/lib/theme.js";

/** The reader's choice overrides the system's setting. */
function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Draws them; `drawn()` is called as often as they are on the page. */
export function drawCharts(host, charts, drawn) {
  if (!charts.length || !globalThis.Bokeh) {
    host.hidden = true;
    return;
  }
  host.append(element("h2", { class: "wp-unseen" }, "Charts"));
  const boxes = charts.map(({ title, note, wide }) => {
    const plot = element("div", { class: "pub-plot" });
    host.append(
      element(
        "section",
        { class: wide ? "ws-card pub-wide" : "ws-card" },
        element("h3", {}, title),
        plot,
        element("p", { class: "ws-note" }, note),
      ),
    );
    return plot;
  });
  let shown = "";
  const draw = () => {
    const theme = isDark() ? "dark" : "light";
    if (theme === shown) return;
    shown = theme;
    const plots = charts.map((chart, k) => {
      boxes[k].replaceChildren();
      boxes[k].id = `plot-${k}`;
      return globalThis.Bokeh.embed.embed_item(chart[theme], boxes[k].id);
    });
    Promise.all(plots).then(drawn);
  };
  watchTheme(draw);
  draw();
}
