// Suitor: each vertex proposes to the heaviest neighbour that has no better offer. A vertex keeps
// its best offer, and whoever loses its place proposes again. An offer is 256 * weight + proposer.
__global__ void suitor(const int* first, const int* neighbours, const int* weights, int* offers) {
    int vertex = blockIdx.x * blockDim.x + threadIdx.x;
    while (vertex >= 0) {
        int partner = -1, heaviest = 0;
        for (int edge = first[vertex]; edge < first[vertex + 1]; ++edge) {
            int held = atomicAdd(&offers[neighbours[edge]], 0) >> 8;
            if (weights[edge] > held && weights[edge] > heaviest) {
                partner = neighbours[edge];
                heaviest = weights[edge];
            }
        }
        if (partner < 0) return;
        int offer = 256 * heaviest + vertex;
        int held = offers[partner];
        if (held < offer) {
            offers[partner] = offer;
            vertex = held > 0 ? held % 256 : -1;
        }
    }
}
