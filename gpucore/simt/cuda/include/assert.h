// As in C, what NDEBUG is when this header is included decides.  No #pragma once.
#undef assert
#ifdef NDEBUG
#define assert(...) ((void)0)
#else
#define assert(...) \
    ((__VA_ARGS__) ? (void)0 \
                   : ::simt::assertion_failed_here(#__VA_ARGS__, __FILE__, __LINE__))
#endif
