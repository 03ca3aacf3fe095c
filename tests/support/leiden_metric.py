"""What a call of NetworkX's Leiden has to say to mean modularity."""

import inspect

import networkx as nx

_function = nx.community.leiden_communities.orig_func
#: From NetworkX 3.7 on its metric has a name, and is another one by default.
METRIC = {"metric": "modularity"} if "metric" in inspect.signature(_function).parameters else {}
