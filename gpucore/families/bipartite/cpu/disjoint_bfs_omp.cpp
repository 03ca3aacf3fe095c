// Disjoint searches in breadth on several threads, "P-DBFS" in Azad and others, IPDPS 2012.
//
// Every thread grows a tree in breadth from each unmatched column that it takes, up to the first
// unmatched row, and augments along the path to it. The trees of a phase share no vertex.

#include <vector>

#include "bipartite_team.h"

namespace cpu {
namespace {

class DisjointTrees {
public:
    explicit DisjointTrees(SearchTeam& team)
        : team_(team),
          parent_(static_cast<std::size_t>(team.num_rows())),
          claims_(team.num_rows()) {}

    void run(Member& member) {
        std::vector<int> queue;
        team_.from_roots([&](int root) {
            queue.assign(1, root);
            const int row = grow(queue, member);
            if (row == kUnmatched) return;
            augment(row, member);
            team_.path_found();
        });
    }

private:
    // Grow the tree of the column in the queue; returns the unmatched row that it reaches, or
    // kUnmatched.
    int grow(std::vector<int>& queue, Member& member) {
        int level = 0;
        std::size_t end = 1;  // of the columns of this level
        for (std::size_t done = 0; done < queue.size(); ++done) {
            if (done == end) {
                ++level;
                end = queue.size();
            }
            const int column = queue[done];
            member.notes().expanded();
            const int* const list = team_.columns().list(column);
            const int degree = team_.columns().degree(column);
            for (int i = 0; i < degree; ++i) {
                const int row = list[i];
                if (!claims_.claim(row, team_.phase())) continue;
                parent_[row] = column;
                const int mate = team_.mate_of_row(row);
                if (mate == kUnmatched) {
                    member.count(i + 1);
                    member.notes().path(column, row, queue[0], level);
                    return row;
                }
                queue.push_back(mate);
                member.notes().reached(column, row, mate, level + 1);
            }
            member.scanned(degree);
        }
        return kUnmatched;
    }

    // Match along the path that ends at `row`, back to the root.
    void augment(int row, Member& member) {
        while (row != kUnmatched) {
            const int column = parent_[row];
            const int before = team_.mate_of_column(column);
            team_.pair(row, column);
            member.notes().flipped(column, row, before);
            row = before;
        }
    }

    SearchTeam& team_;
    std::vector<int> parent_;  // of every row: the column from which it was claimed
    Claims claims_;
};

}  // namespace
}  // namespace cpu

CPU_EXPORT int cpu_disjoint_bfs_omp(const cpu::BipartiteTask* task) {
    return cpu::run_bipartite(*task, [](cpu::Matcher& matcher) {
        cpu::SearchTeam team(matcher);
        cpu::DisjointTrees trees(team);
        team.repeat([&](cpu::Member& member) { trees.run(member); },
                    [&] { team.begin_phase(cpu::kNoLevel); });
    });
}
