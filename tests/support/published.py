"""Static pages that several files of tests open."""

#: Records of the gallery that the pages play.
NAMES = ["karate_weighted-suitor-nosync", "karate_weighted-suitor-sync_lb"]
#: True once a page's script has drawn its first frame.
READY = "document.body?.dataset.ready === '1'"
