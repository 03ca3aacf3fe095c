"""A script for the ranks of a test: it matches a graph again and again until it is stopped."""

import sys

import gpucore
from gpucore.problems.graph.prepare import for_matching
from gpucore.ranks.mpi import launched


def main():
    graph = for_matching(gpucore.load("rmat:scale=11,weights=uniform"))
    times = 0
    while True:
        gpucore.run("suitor", graph, device="host", certify=False, transport=sys.argv[1])
        times += 1
        if times == 3 and launched()[0] == 0:
            print("at work", flush=True)


if __name__ == "__main__":
    main()
