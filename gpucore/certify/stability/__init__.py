"""Certificate of b-stability, part by part: each part has some rows of the graph.

Matchings are the case of capacity 1.
"""
