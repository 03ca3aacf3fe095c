"""A dashboard: what every page is made of, and the page of one family."""
