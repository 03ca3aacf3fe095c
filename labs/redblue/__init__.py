"""Lab on red/blue matching."""
