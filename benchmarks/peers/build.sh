#!/bin/sh
# Build the programs of others that `warplens bench` measures beside ours, into a folder:
#
#     benchmarks/peers/build.sh FOLDER [sm_90]
#     export WARPLENS_PEERS=FOLDER
#
# Needs git, network, and nvcc (CUDA 12 or 13). Sources that are in FOLDER/src already are used as
# they are, so a machine without network can be given them.
#
#   ecl-mm               https://github.com/burtscher/ECL-MM (BSD-3-Clause; Akathoott, Burtscher,
#                        IPDPS 2025). Two changes: lines that read clock rates, which CUDA 13 has no
#                        more, go; the function that prints the matching is switched on.
#   louvain-communities  https://github.com/puzzlef/louvain-communities-cuda (MIT; Sahu): GVE-Louvain
#                        and nu-Louvain, with a driver of our own, louvain_communities.cu.
#
# cuGraph comes from its wheels: pip install pylibcugraph-cu13 --extra-index-url https://pypi.nvidia.com
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:?"usage: build.sh FOLDER [sm_90]"}
arch=${2:-native}
mkdir -p "$folder/src"
folder=$(cd "$folder" && pwd)

get() { [ -d "$folder/src/$2" ] || git clone --depth 1 "https://github.com/$1" "$folder/src/$2"; }

get burtscher/ECL-MM ECL-MM
source="$folder/src/ECL-MM/source"
sed -e '/clockRate/d' -e '/memoryBusWidth/d' \
    -e 's#^ *//printEdgesInMatching();#printEdgesInMatching();#' "$source"/ECL-MM_*.cu |
    awk '/^\/\*$/ { held = $0; next }
         held != "" { if ($0 !~ /printEdgesInMatching/) print held; else inside = 1; held = "" }
         inside && /^\*\/$/ { inside = 0; next }
         { print }' > "$source/with_edges.cu"
nvcc -O3 "-arch=$arch" -Xcompiler -fopenmp -w -I "$source" "$source/with_edges.cu" -o "$folder/ecl-mm"

get puzzlef/louvain-communities-cuda louvain-communities-cuda
nvcc -O3 -std=c++17 "-arch=$arch" -Xcompiler -fopenmp -w -I "$folder/src/louvain-communities-cuda" \
    "$here/louvain_communities.cu" -o "$folder/louvain-communities"
echo "built $folder/ecl-mm and $folder/louvain-communities"
