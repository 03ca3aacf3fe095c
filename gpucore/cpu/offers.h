// The strict order of edges that the CPU methods for weighted matchings share.
//
// Edges are ordered strictly by (weight, larger endpoint, smaller endpoint). Among the edges of
// one vertex that order is (weight, neighbour), so an edge seen from one end fits in 64 bits that
// compare like the edge: the weight's bits, then the neighbour. Weights above zero have their
// sign bit clear, and such floats compare like their bits. No edge is 0, below every edge.
#pragma once

#include <cstdint>
#include <cstring>

namespace cpu {

constexpr int kNobody = -1;

// Only edges above zero gain anything, and a loop cannot be matched.
inline bool usable(int u, int v, float weight) { return weight > 0.0f && u != v; }

using Offer = std::uint64_t;
constexpr Offer kNoOffer = 0;

inline Offer make_offer(float weight, int neighbour) {
    std::uint32_t bits;
    std::memcpy(&bits, &weight, sizeof bits);
    return (static_cast<Offer>(bits) << 32) | static_cast<std::uint32_t>(neighbour);
}

inline float offer_weight(Offer offer) {
    const auto bits = static_cast<std::uint32_t>(offer >> 32);
    float weight;
    std::memcpy(&weight, &bits, sizeof weight);
    return weight;
}

inline int offer_from(Offer offer) {
    return offer == kNoOffer ? kNobody : static_cast<int>(static_cast<std::uint32_t>(offer));
}

}  // namespace cpu
