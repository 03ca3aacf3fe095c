"""Lab on b-matching."""
