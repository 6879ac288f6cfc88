// Lets threads wake each other without a lock that another thread could hold. For Linux.
//
// A thread sleeps on a word of shared memory with the system's futex. `wait(words, at, value, ms)` sleeps while the
// word equals `value`, for at most `ms` milliseconds; `wake(words, at)` wakes one thread that sleeps on the word. No
// lock is held, and nothing is global. `cpuMs()` returns the processor time that the calling thread has used.
// `lockFile(fd)` locks a file for as long as it is open; it returns false if another process has locked it.
#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>

#include <linux/futex.h>
#include <node_api.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "addon-modules.h"

namespace {

constexpr double kMsASecond = 1e3;
constexpr double kNsAMs = 1e6;
constexpr long kNsASecond = 1'000'000'000;

/** Returns a pointer to the word at index `at` of `words`; null if there is none. */
int32_t *word_of(napi_env env, napi_value words, napi_value at) {
  Array array;
  uint32_t index;
  if (!array_of(env, words, napi_int32_array, &array) || napi_get_value_uint32(env, at, &index) != napi_ok ||
      index >= array.length) {
    return nullptr;
  }
  return static_cast<int32_t *>(array.data) + index;
}

timespec after(double ms) {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  const double seconds = std::floor(ms / kMsASecond);
  time.tv_sec += time_t(seconds);
  time.tv_nsec += long((ms - seconds * kMsASecond) * kNsAMs);
  if (time.tv_nsec >= kNsASecond) {
    time.tv_sec += 1;
    time.tv_nsec -= kNsASecond;
  }
  return time;
}

napi_value wait(napi_env env, napi_callback_info info) {
  napi_value argv[4];
  int32_t value;
  double ms;
  if (!read_arguments(env, info, argv) || napi_get_value_int32(env, argv[2], &value) != napi_ok ||
      napi_get_value_double(env, argv[3], &ms) != napi_ok) {
    return fail(env, "wait takes words, an index, a value and milliseconds");
  }
  const int32_t *word = word_of(env, argv[0], argv[1]);
  if (word == nullptr) return fail(env, "no such word of an Int32Array");
  const timespec end = after(ms);
  // A signal interrupts the system call, but does not shorten the sleep, because the deadline stays the same.
  while (syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, value, &end, nullptr, FUTEX_BITSET_MATCH_ANY) != 0 &&
         errno == EINTR) {
  }
  return nullptr;
}

napi_value wake(napi_env env, napi_callback_info info) {
  napi_value argv[2];
  if (!read_arguments(env, info, argv)) return fail(env, "wake takes words and an index");
  const int32_t *word = word_of(env, argv[0], argv[1]);
  if (word == nullptr) return fail(env, "no such word of an Int32Array");
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  return nullptr;
}

napi_value cpu_ms(napi_env env, napi_callback_info) {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  napi_value ms;
  const double sum = double(time.tv_sec) * kMsASecond + double(time.tv_nsec) / kNsAMs;
  return napi_create_double(env, sum, &ms) == napi_ok ? ms : nullptr;
}

napi_value lock_file(napi_env env, napi_callback_info info) {
  napi_value argv[1];
  int32_t file;
  if (!read_arguments(env, info, argv) || napi_get_value_int32(env, argv[0], &file) != napi_ok)
    return fail(env, "lockFile takes a file");
  const bool is_locked = flock(file, LOCK_EX | LOCK_NB) == 0;
  if (!is_locked && errno != EWOULDBLOCK) return fail(env, strerror(errno));
  return boolean(env, is_locked);
}

}  // namespace

bool define_wake(napi_env env, napi_value exports) {
  const napi_property_descriptor functions[] = {
      function("wait", wait),
      function("wake", wake),
      function("lockFile", lock_file),
      function("cpuMs", cpu_ms),
  };
  return define_functions(env, exports, functions);
}
