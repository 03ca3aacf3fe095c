"""Lab on the Suitor algorithm."""
