"""Static pages that several files of tests open."""

#: Records of the gallery that the pages play.
NAMES = ["karate_weighted-suitor-nosync", "karate_weighted-suitor-sync_lb"]
#: True once a page's script has ended, and its players have drawn where they stand.
READY = """document.body?.dataset.ready === '1'
  && (window.__warplens?.players ?? []).every(({ frames, stale }) => frames && !stale)"""
