"""How the names of files end, by the format."""

ENDINGS = {
    "matrix_market": (".mtx", ".mm"),
    "edge_list": (".txt", ".csv", ".tsv", ".edges", ".edgelist", ".el"),
    "dimacs": (".gr", ".col", ".clq", ".dimacs"),
    "metis": (".graph", ".metis"),
    "npz": (".npz",),
    "json": (".json",),
}
