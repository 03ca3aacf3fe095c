// The walk that finds rotations, for both methods for stable roommates.
//
// From a person it goes to the last on the list of the person's next choice, and closes a cycle at
// last, which is a rotation. The path that led to the cycle stays for the next search.
#pragma once

#include <vector>

#include "common.h"

namespace cpu {

// Steps between two looks at the flag of a cancelled run.
constexpr int kPoll = 1024;

struct Stop {};

class Walk {
public:
    Walk(int n, const int* cancel) : cancel_(cancel), place_(n, kOff) {}

    // `after(p)` is the person who follows p.
    template <class After>
    std::vector<int> find_rotation(int start, After after) {
        if (path_.empty()) push(start);
        for (;;) {
            const int to = after(path_.back());
            if (place_[to] == kOff) {
                push(to);
                continue;
            }
            std::vector<int> rotation(path_.begin() + place_[to], path_.end());
            cut(place_[to]);
            return rotation;
        }
    }

    // Ends the walk before the first person without a choice: one whose list was just cut, or the
    // one at its end.
    template <class HasChoice>
    void end_before(const std::vector<int>& shortened, HasChoice has_choice) {
        for (const int q : shortened)
            if (place_[q] != kOff && !has_choice(q)) cut(place_[q]);
        while (!path_.empty() && !has_choice(path_.back()))
            cut(static_cast<int>(path_.size()) - 1);
    }

    void heed_cancel() const {
        if (cancel_.raised()) throw Stop{};
    }

private:
    static constexpr int kOff = -1;

    void push(int p) {
        place_[p] = static_cast<int>(path_.size());
        path_.push_back(p);
        if (++steps_ % kPoll == 0) heed_cancel();
    }

    void cut(int size) {
        while (static_cast<int>(path_.size()) > size) {
            place_[path_.back()] = kOff;
            path_.pop_back();
        }
    }

    const CancelFlag cancel_;
    std::vector<int> path_;
    std::vector<int> place_;
    unsigned steps_ = 0;
};

}  // namespace cpu
