"""Links: runs described by the query of a page's address."""
