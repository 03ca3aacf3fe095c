// What the frame of drop.html takes from a record that may come from anyone: text, elements of a short
// list without addresses, and charts of a short list of models.

const TAGS = new Set(
  ("b br code dd details div dl dt em h2 h3 h4 i li ol p section small span strong sub summary sup table tbody td tfoot th " +
    "thead tr ul").split(" "),
);
const ATTRIBUTES = new Set(
  "aria-describedby aria-hidden aria-label class colspan id role rowspan scope tabindex title".split(" "),
);
/** Models of Bokeh that draw. Others run code, hold HTML, or fetch. */
const MODELS = new Set(
  ("AllIndices AllLabels AnnularWedge Annulus Arrow Band BasicTicker BasicTickFormatter BooleanFilter BoxAnnotation " +
    "CDSView CategoricalAxis CategoricalColorMapper CategoricalScale CategoricalTicker CategoricalTickFormatter Circle " +
    "ColorBar ColumnDataSource Dodge DocumentConfig Figure FactorRange FixedTicker GlyphRenderer Grid HArea HBar HSpan " +
    "HStrip HoverTool IndexFilter Image Jitter Label LabelSet Legend LegendItem Line LinearAxis LinearColorMapper " +
    "LinearInterpolator LinearScale LogAxis LogColorMapper LogScale LogTicker LogTickFormatter MultiLine NoOverlap " +
    "NormalHead Notifications NumeralTickFormatter OpenHead PanTool Patch Patches PrintfTickFormatter Quad Range1d " +
    "DataRange1d Ray Rect ResetTool Scatter Segment Selection SingleIntervalTicker Slope Span Stack Step Text Title " +
    "Toolbar UnionRenderers VArea VBar VSpan VStrip VeeHead Wedge WheelZoomTool Whisker").split(" "),
);
/** How deep a chart nests; the deepest that we write has 20. */
const DEEPEST = 60;

/** Parses HTML in a document of its own, where nothing is loaded. */
const parsed = (html) => new DOMParser().parseFromString(html, "text/html").body;

/** The text of a piece of HTML. */
export const textOf = (html) => parsed(html).textContent;

/** The elements of a piece of HTML that only show; whatever else there is, is left out. */
export function elementsOf(html) {
  const body = parsed(html);
  for (const found of body.querySelectorAll("*")) {
    if (!TAGS.has(found.localName)) found.remove();
    for (const { name } of [...found.attributes]) if (!ATTRIBUTES.has(name)) found.removeAttribute(name);
  }
  const kept = document.createDocumentFragment();
  kept.append(...body.childNodes);
  return kept;
}

/** The charts that draw only; what they would do at a click is left out. */
export function chartsOf(charts) {
  return Array.isArray(charts) ? charts.filter((chart) => drawsOnly(chart?.light, 0) && drawsOnly(chart?.dark, 0)) : [];
}

function drawsOnly(part, depth) {
  if (depth > DEEPEST) return false;
  if (typeof part === "string") return !/\{safe\}/i.test(part); // a format of tooltips: HTML
  if (typeof part !== "object" || part === null) return true;
  if (part.type === "object" && !MODELS.has(part.name)) return false;
  for (const name of ["js_event_callbacks", "js_property_callbacks"]) delete part[name];
  if (part.attributes) {
    const { attributes } = part;
    for (const name of ["js_event_callbacks", "js_property_callbacks", "subscribed_events"]) delete attributes[name];
    if (part.name === "HoverTool" && typeof attributes.tooltips === "string") return false; // HTML
  }
  return Object.values(part).every((one) => drawsOnly(one, depth + 1));
}
