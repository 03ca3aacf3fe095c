// How each family's state and events look; a family adds its module and a line here.
//
// A module exports STYLES, legend, BANDS, KIND_NAMES, marksOf, effectsOf, figuresText, factsOf,
// neighbourText; where it has them NOUN (what a vertex is called), View (the picture) or picturesOf
// (both pictures, see bipartite.js), prepare, align and comparable (see communities.js); and, where
// events cause each other, CHAIN_NAME, causesOf, chainLink, chainText; see matching.js.

import * as bipartite from "./bipartite.js";
import * as communities from "./communities.js";
import * as marriage from "./marriage.js";
import * as matching from "./matching.js";
import * as redblue from "./redblue.js";

const FAMILIES = { bipartite, communities, marriage, matching, redblue };

export function familyOf(name) {
  const found = FAMILIES[name];
  if (!found) throw new Error(`there is no picture for the family "${name}"; reload the page`);
  return found;
}
