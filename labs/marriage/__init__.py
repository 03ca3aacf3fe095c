"""Lab on stable marriage."""
