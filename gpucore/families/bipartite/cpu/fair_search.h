// Searches in depth with lookahead and fairness: a phase of Pothen and Fan's algorithm, and the
// second half of a phase of HKDW, which searches from the other side.
#pragma once

#include <vector>

#include "bipartite.h"

namespace cpu {

// A vertex that is entered first looks ahead for an unmatched partner. A matched partner
// stays matched, so looking ahead continues where it stopped the last time, and together all looks
// ahead read every entry once. Fairness: every other phase reads the lists backwards, so that no
// part of the matrix is always searched first.
class FairSearch {
public:
    FairSearch(Matcher& matcher, Origin origin)
        : matcher_(matcher),
          origin_(origin),
          side_(matcher.side(origin)),
          mates_(matcher.mates(origin)),
          looked_(static_cast<std::size_t>(side_.size), 0),
          taken_(static_cast<std::size_t>(matcher.partners(origin)), 0),
          search_(matcher, side_) {}

    // Search from every root, an unmatched vertex; no partner is taken twice.
    void augment_all(const std::vector<int>& roots) {
        search_.backwards(phase_++ % 2 == 1);
        if (origin_ == kFromColumns) matcher_.begin_phase(kNoLevel);
        else matcher_.begin_step(kNoLevel, kAlternate);
        const auto look = [&](int vertex) { return look_ahead(vertex); };
        const auto follow = [&](int partner, int length) -> int {
            if (taken_[partner] == phase_) return kDeadEnd;
            taken_[partner] = phase_;
            if (origin_ == kFromColumns)  // the record has no searches from rows
                matcher_.notes().reached(search_.path().back().vertex, partner, mates_[partner],
                                         length);
            return mates_[partner];  // there is one, as looking ahead showed
        };
        for (const int root : roots) {
            if (matcher_.complete()) return;
            if (search_.find(root, look, follow)) matcher_.augment(search_.path(), origin_);
        }
    }

private:
    // Return an unmatched partner of a vertex, or kUnmatched.
    int look_ahead(int vertex) {
        const int* const list = side_.list(vertex);
        const int degree = side_.degree(vertex);
        const int first = looked_[vertex];
        int place = first;
        matcher_.notes().expanded();
        while (place < degree && mates_[list[place]] != kUnmatched) ++place;
        looked_[vertex] = place;
        matcher_.scanned(place - first + (place < degree));
        if (place == degree) return kUnmatched;
        taken_[list[place]] = phase_;
        return list[place];
    }

    Matcher& matcher_;
    const Origin origin_;
    const Side side_;
    const int* const mates_;   // of the partners
    std::vector<int> looked_;  // of every vertex: how many of its first partners are matched
    std::vector<int> taken_;   // of every partner: the last phase in which a search took it
    int phase_ = 0;
    DepthSearch<Matcher> search_;
};

}  // namespace cpu
