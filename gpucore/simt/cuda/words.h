// Values of any type through the warp collectives, which take numbers of at most 64 bits.
#pragma once

#include <cstring>
#include <type_traits>

#include "../host/collectives.h"

namespace simt {

// Applies f to a number as it is, and to each word of four bytes of anything else.
template <class T, class F> inline T by_words(T value, F f)
{
    if constexpr (std::is_arithmetic<T>::value) {
        return f(value);
    } else {
        unsigned words[(sizeof(T) + 3) / 4] = {};
        std::memcpy(words, &value, sizeof(T));
        for (unsigned& word : words) word = f(word);
        std::memcpy(&value, words, sizeof(T));
        return value;
    }
}

}  // namespace simt
