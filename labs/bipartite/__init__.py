"""Lab on bipartite matching."""
