// Shared by the kernels of the matching family: the kinds of events.
#pragma once

#include "bid.cuh"

enum MatchingEvent : unsigned {
    NO_EVENT = 0,
    PROPOSE_FREE = 1,   // a becomes the suitor of b, who had none
    DISPLACE = 2,       // a becomes the suitor of b and displaces c
    OUTBID = 3,         // a proposes to b, but c's bid is already better
    EXHAUSTED = 4,      // a has no neighbour left that would accept it
    MOVE = 5,           // vertex a goes from warp b to warp c
    POINT = 6,          // b becomes the candidate of a
    MATCH = 7,          // a and b are matched
};
