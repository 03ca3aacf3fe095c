// The charts of a page, in the colours of its theme.

import { element } from "../widgets/lib/dom.js";
import { watchTheme } from "../widgets/lib/theme.js";

/** The reader's choice overrides the system's setting. */
function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

export function drawCharts(host, charts) {
  if (!charts.length || !globalThis.Bokeh) {
    host.hidden = true;
    return;
  }
  const boxes = charts.map(({ title, note, wide }) => {
    const plot = element("div", { class: "pub-plot" });
    host.append(
      element(
        "section",
        { class: wide ? "ws-card pub-wide" : "ws-card" },
        element("h2", {}, title),
        plot,
        element("p", { class: "ws-note" }, note),
      ),
    );
    return plot;
  });
  let drawn = "";
  const draw = () => {
    const theme = isDark() ? "dark" : "light";
    if (theme === drawn) return;
    drawn = theme;
    charts.forEach((chart, k) => {
      boxes[k].replaceChildren();
      boxes[k].id = `plot-${k}`;
      globalThis.Bokeh.embed.embed_item(chart[theme], boxes[k].id);
    });
  };
  watchTheme(draw);
  draw();
}
