// Large blocks of memory, as the C library keeps them.
#pragma once

#include <cstddef>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace prestate {

/**
 * Blocks from `bytes` on are mapped by themselves, and given back to the system when they are freed. Left alone, glibc maps
 * ever larger blocks on its heap, where a freed one stays between others. False where the C library is another one.
 */
inline bool map_large_blocks(size_t bytes) {
#ifdef M_MMAP_THRESHOLD
  return mallopt(M_MMAP_THRESHOLD, int(bytes)) == 1;
#else
  return false;
#endif
}

/**
 * Gives the pages of blocks that any thread has freed back to the system: glibc keeps those that lie between others.
 */
inline void trim_heap() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace prestate
