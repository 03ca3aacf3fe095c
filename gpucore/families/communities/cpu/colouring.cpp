// Distance-1 colouring (colouring.h).
//
// The order: M. T. Jones, P. E. Plassmann, "A parallel graph coloring heuristic", SIAM Journal on
// Scientific Computing 14 (1993).  A vertex is coloured as soon as its neighbours before it are, so
// the result is that of the greedy method one after the other.  H. Lu, M. Halappanavar,
// A. Kalyanaraman colour speculatively, which depends on the threads; classes are as good.
// Balancing: H. Lu, M. Halappanavar, D. Chavarria-Miranda, A. Gebremedhin, A. Kalyanaraman,
// "Balanced coloring for parallel computing applications", IPDPS 2015 (vertex-centric shuffling, on
// one thread).

#include "colouring.h"

#include <numeric>

namespace cpu {
namespace {

constexpr int kNone = -1;

unsigned hash(unsigned v) {
    v = (v ^ (v >> 16)) * 0x7feb352du;
    v = (v ^ (v >> 15)) * 0x846ca68bu;
    return v ^ (v >> 16);
}

bool before(int u, int v) {
    const unsigned a = hash(static_cast<unsigned>(u)), b = hash(static_cast<unsigned>(v));
    return a < b || (a == b && u < v);
}

// Colours that neighbours of a vertex have; clearing costs nothing.
class Forbidden {
public:
    void clear() { ++round_; }
    void add(int colour) {
        if (colour >= static_cast<int>(seen_.size())) seen_.resize(2 * colour + 16, 0);
        seen_[colour] = round_;
    }
    bool has(int colour) const {
        return colour < static_cast<int>(seen_.size()) && seen_[colour] == round_;
    }
    int smallest_free() const {
        int colour = 0;
        while (has(colour)) ++colour;
        return colour;
    }

private:
    std::vector<long long> seen_;
    long long round_ = 0;
};

std::vector<int> greedy(int n, const long long* indptr, const int* indices, Crew* crew,
                        const CancelFlag& cancel) {
    std::vector<int> colours(n, kNone), waits(n, 0), frontier;
    std::vector<std::vector<int>> found(crew->threads());
    std::vector<Forbidden> forbidden(crew->threads());
    const auto collect = [&] {
        frontier.clear();
        for (auto& mine : found) {
            frontier.insert(frontier.end(), mine.begin(), mine.end());
            mine.clear();
        }
    };
    crew->chunks(n, cancel, [&](int rank, int begin, int end) {
        for (int v = begin; v < end; ++v) {
            for (long long e = indptr[v]; e < indptr[v + 1]; ++e)
                waits[v] += indices[e] != v && before(indices[e], v);
            if (waits[v] == 0) found[rank].push_back(v);
        }
    });
    for (collect(); !frontier.empty() && !cancel.raised(); collect())
        crew->chunks(static_cast<int>(frontier.size()), cancel, [&](int rank, int begin, int end) {
            for (int i = begin; i < end; ++i) {
                const int v = frontier[i];
                Forbidden& theirs = forbidden[rank];
                theirs.clear();
                for (long long e = indptr[v]; e < indptr[v + 1]; ++e)
                    if (indices[e] != v && before(indices[e], v)) theirs.add(colours[indices[e]]);
                colours[v] = theirs.smallest_free();
                for (long long e = indptr[v]; e < indptr[v + 1]; ++e)
                    if (indices[e] != v && before(v, indices[e]) &&
                        __atomic_sub_fetch(&waits[indices[e]], 1, __ATOMIC_ACQ_REL) == 0)
                        found[rank].push_back(indices[e]);
            }
        });
    return colours;
}

std::vector<int> sizes_of(const std::vector<int>& colours) {
    std::vector<int> sizes;
    for (const int colour : colours) {
        if (colour >= static_cast<int>(sizes.size())) sizes.resize(colour + 1, 0);
        ++sizes[colour];
    }
    return sizes;
}

void balance(int n, const long long* indptr, const int* indices, std::vector<int>* colours) {
    std::vector<int> sizes = sizes_of(*colours);
    const int count = static_cast<int>(sizes.size());
    const int mean = count == 0 ? 0 : (n + count - 1) / count;
    Forbidden forbidden;
    for (int v = 0; v < n; ++v) {
        int& mine = (*colours)[v];
        if (sizes[mine] <= mean) continue;
        forbidden.clear();
        for (long long e = indptr[v]; e < indptr[v + 1]; ++e)
            if (indices[e] != v) forbidden.add((*colours)[indices[e]]);
        int to = 0;
        while (to < count && (sizes[to] >= mean || forbidden.has(to))) ++to;
        if (to == count) continue;
        --sizes[mine];
        ++sizes[to];
        mine = to;
    }
}

}  // namespace

ColourClasses colour(int n, const long long* indptr, const int* indices, bool balanced, Crew* crew,
                     const CancelFlag& cancel) {
    std::vector<int> colours = greedy(n, indptr, indices, crew, cancel);
    ColourClasses classes;
    if (cancel.raised()) return classes;
    if (balanced) balance(n, indptr, indices, &colours);
    const std::vector<int> sizes = sizes_of(colours);
    classes.first.resize(sizes.size() + 1);
    std::partial_sum(sizes.begin(), sizes.end(), classes.first.begin() + 1);
    std::vector<int> place(classes.first.begin(), classes.first.end() - 1);
    classes.vertices.resize(n);
    for (int v = 0; v < n; ++v) classes.vertices[place[colours[v]]++] = v;
    return classes;
}

}  // namespace cpu

// The colour of every vertex.
CPU_EXPORT int cpu_louvain_colours(int n, const long long* indptr, const int* indices, int balanced,
                                   int threads, const int* cancel, int* colours) {
    return cpu::guarded([&] {
        cpu::Crew crew(threads);
        const cpu::CancelFlag flag(cancel);
        crew.employ([&] {
            const cpu::ColourClasses classes =
                cpu::colour(n, indptr, indices, balanced != 0, &crew, flag);
            for (int c = 0; c < classes.count(); ++c)
                for (int i = classes.first[c]; i < classes.first[c + 1]; ++i)
                    colours[classes.vertices[i]] = c;
        });
        return flag.raised() ? cpu::kCancelled : cpu::kDone;
    });
}
