"""The base of all pages, and the page process that shows one."""
