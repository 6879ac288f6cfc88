// Controls how the C library manages large allocations.
#pragma once

#include <cstddef>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace prestate {

/**
 * Makes glibc map allocations of at least `bytes` bytes separately, so that they return to the system when they are
 * freed. By default, glibc places ever larger allocations on its heap, where freed memory stays between others. Returns
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
 * Returns freed memory of all threads to the system. Without this call, glibc keeps free pages that lie between used
 * allocations.
 */
inline void trim_heap() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace prestate
