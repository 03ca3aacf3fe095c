"""Lab on the Louvain method."""
