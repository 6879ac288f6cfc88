// Controls how the C library manages large memory blocks.
#pragma once

#include <cstddef>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace prestate {

/**
 * Makes blocks of at least `bytes` bytes be mapped separately, so that they are returned to the system when they are
 * freed. By default, glibc allocates ever larger blocks on its heap, where a freed block stays between others. Returns
 * false if the C library is not glibc.
 */
inline bool map_large_blocks(size_t bytes) {
#ifdef M_MMAP_THRESHOLD
  return mallopt(M_MMAP_THRESHOLD, int(bytes)) == 1;
#else
  return false;
#endif
}

/**
 * Returns the pages of blocks that any thread has freed to the system. glibc keeps those that are between used blocks.
 */
inline void trim_heap() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace prestate
