"""The sources of a page's problem: bundled data, a generator, or a file."""
