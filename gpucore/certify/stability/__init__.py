"""Certificate of b-stability in parts, each of which has some rows of the graph.

Matchings are the case of capacity 1.
"""
