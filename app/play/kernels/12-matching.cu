// A locally dominant matching, in rounds: each free vertex points at its heaviest free neighbour,
// and two vertices that point at each other are matched. mate is -1 for a free vertex.
__global__ void match(const int* first, const int* neighbours, const int* weights, int* mate) {
    __shared__ int pointer[16];
    int vertex = threadIdx.x;
    pointer[vertex] = -1;
    __syncthreads();
    bool again = true;
    while (again) {
        pointer[vertex] = -1;
        int heaviest = 0;
        for (int edge = first[vertex]; mate[vertex] < 0 && edge < first[vertex + 1]; ++edge) {
            int other = neighbours[edge];
            if (mate[other] < 0 && weights[edge] > heaviest) {
                pointer[vertex] = other;
                heaviest = weights[edge];
            }
        }
        int wanted = pointer[vertex];
        if (wanted >= 0 && pointer[wanted] == vertex) mate[vertex] = wanted;
        again = wanted >= 0;
    }
}
