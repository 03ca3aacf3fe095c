"""The page that shows why greedy matching is a stable marriage."""
