"""Where the problem of a page comes from: bundled data, a generator, or a file."""
