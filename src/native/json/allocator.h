// Controls how the C library manages large memory blocks.
#pragma once

#include <cstddef>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace prestate {

/**
 * Makes blocks from `bytes` on be mapped separately, and returned to the system when they are freed. By default glibc
 * allocates ever larger blocks on its heap, where a freed one stays between others. False if the C library is not
 * glibc.
 */
inline bool map_large_blocks(size_t bytes) {
#ifdef M_MMAP_THRESHOLD
  return mallopt(M_MMAP_THRESHOLD, int(bytes)) == 1;
#else
  return false;
#endif
}

/** Returns the pages of blocks freed by any thread to the system: glibc keeps those between used ones. */
inline void trim_heap() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace prestate
