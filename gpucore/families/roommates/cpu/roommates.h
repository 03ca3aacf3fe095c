// What both methods for stable roommates record: the events, and the words of a row.
#pragma once

#include "common.h"
#include "record.h"

namespace cpu {

// The events of the record, as `record.py` describes them. Places and ranks count from 1.
enum RoommatesEvent : unsigned {
    PROPOSE = 1,  // a proposes to b, who lets the proposal of c go; value: place, batch: b's rank
    PASS = 2,     // a passes b by, since the pair is deleted; value and batch as above
    CUT = 3,      // a deletes all behind b, who stands at the place `value`
    ALONE = 4,    // a's list has no person left to propose to
    FIND = 5,     // a is in rotation `batch`: b is the next choice, c the last of b's list
    MOVE = 6,     // the rotation is eliminated: a proposes to b, who lets the proposal of c go
    PARTY = 7,    // a is in an odd party, and is followed by b: no solution is stable
};

// The words of the thread's row in the record.
enum RoommatesWord { kBusy, kLaneSlots, kProposals, kPassed, kCuts, kFound, kMoved, kInParties };

// The log of a run, in the numbers of persons; nothing without a record.
template <class Log>
class Tale {
public:
    static constexpr bool kOn = Log::kOn;
    explicit Tale(Log log) : log_(log) {}

    // The first phase is iteration 0; each rotation that is found begins the next one.
    void begin(int iteration) {
        if (!kOn) return;
        log_.begin(iteration);
        log_.count(kBusy, 1);
        log_.count(kLaneSlots, 1);
    }
    void event(RoommatesEvent kind, RoommatesWord word, int a, int b = -1, int c = -1,
               int place = 0, int batch = 0) {
        if (!kOn) return;
        log_.event(kind, a, b, c, static_cast<float>(place), batch);
        log_.count(word, 1);
    }
    void alone(int a) {
        if (kOn) log_.event(ALONE, a);
    }

private:
    Log log_;
};

}  // namespace cpu
