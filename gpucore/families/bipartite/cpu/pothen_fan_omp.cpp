// Pothen and Fan's algorithm on several threads, "P-PFP" in Azad and others, IPDPS 2012.
//
// Every thread searches in depth from the unmatched columns that it takes. Lookahead and fairness
// are those of fair_search.h: on one thread both find the same matching. A row that looking ahead
// passes over is matched, or a thread that claimed it is about to match it; both are final.

#include <vector>

#include "bipartite_team.h"

namespace cpu {
namespace {

class DisjointDepthSearches {
public:
    explicit DisjointDepthSearches(SearchTeam& team)
        : team_(team),
          looked_(static_cast<std::size_t>(team.columns().size), 0),
          claims_(team.num_rows()) {}

    void run(Member& member) {
        DepthSearch<Member> search(member, team_.columns());
        search.backwards(team_.phase() % 2 == 0);
        const auto look = [&](int column) { return look_ahead(column, member); };
        const auto follow = [&](int row, int length) -> int {
            if (!claims_.claim(row, team_.phase())) return kDeadEnd;
            const int mate = team_.mate_of_row(row);  // there is one, as looking ahead showed
            member.notes().reached(search.path().back().vertex, row, mate, length);
            return mate;
        };
        team_.from_roots([&](int column) {
            if (search.find(column, look, follow)) team_.walk(search.path(), member);
        });
    }

private:
    // Claim an unmatched row of a column and return it, or kUnmatched.
    int look_ahead(int column, Member& member) {
        const int* const list = team_.columns().list(column);
        const int degree = team_.columns().degree(column);
        const int first = looked_[column];
        int place = first;
        member.notes().expanded();
        while (place < degree && !take(list[place])) ++place;
        looked_[column] = place;
        member.scanned(place - first + (place < degree));
        return place == degree ? kUnmatched : list[place];
    }

    bool take(int row) {
        return team_.mate_of_row(row) == kUnmatched && claims_.claim(row, team_.phase());
    }

    SearchTeam& team_;
    std::vector<int> looked_;  // of every column: how many of its first rows are matched
    Claims claims_;
};

}  // namespace
}  // namespace cpu

CPU_EXPORT int cpu_pothen_fan_omp(const cpu::BipartiteTask* task) {
    return cpu::run_bipartite(*task, [](cpu::Matcher& matcher) {
        cpu::SearchTeam team(matcher);
        cpu::DisjointDepthSearches searches(team);
        team.repeat([&](cpu::Member& member) { searches.run(member); },
                    [&] { team.begin_phase(cpu::kNoLevel); });
    });
}
