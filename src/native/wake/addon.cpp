// Threads wake each other here without a lock that one of them could be left waiting for. Linux.
//
// A word of shared memory that a thread sleeps on, the system's futex: `wait(words, at, value, ms)` sleeps while the word is
// `value`, for so long at most; `wake(words, at)` wakes one thread that sleeps on it. Nothing is held, and nothing is global.
//
// A bell of a thread's event loop: `open(callback)` answers its number, `ring(bell)` has the callback called there, once for
// rings that come together. Any thread may ring; a bell whose thread has ended is not heard. `hold(bell, isHeld)`, for its
// own thread: whether the bell keeps the event loop alive; at first it does not.
#include <atomic>
#include <cerrno>
#include <cmath>
#include <ctime>

#include <linux/futex.h>
#include <node_api.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <uv.h>

#include "parts.h"

namespace {

constexpr double kMsASecond = 1e3;
constexpr double kNsAMs = 1e6;
constexpr long kNsASecond = 1'000'000'000;

napi_value fail(napi_env env, const char *text) {
  napi_throw_error(env, nullptr, text);
  return nullptr;
}

/** The word at `at` of `words`; null where there is none. */
int32_t *word_of(napi_env env, napi_value words, napi_value at) {
  napi_typedarray_type type;
  size_t length;
  void *data;
  uint32_t index;
  if (napi_get_typedarray_info(env, words, &type, &length, &data, nullptr, nullptr) != napi_ok ||
      napi_get_value_uint32(env, at, &index) != napi_ok || type != napi_int32_array || index >= length) {
    return nullptr;
  }
  return static_cast<int32_t *>(data) + index;
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
  size_t count = 4;
  napi_value argv[4];
  int32_t value;
  double ms;
  if (napi_get_cb_info(env, info, &count, argv, nullptr, nullptr) != napi_ok || count < 4 ||
      napi_get_value_int32(env, argv[2], &value) != napi_ok || napi_get_value_double(env, argv[3], &ms) != napi_ok) {
    return fail(env, "wait takes words, a place, a value and milliseconds");
  }
  const int32_t *word = word_of(env, argv[0], argv[1]);
  if (word == nullptr) return fail(env, "no such word of an Int32Array");
  const timespec end = after(ms);
  // A signal ends the call, not the sleep: the time at which that ends stays the same.
  while (syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, value, &end, nullptr, FUTEX_BITSET_MATCH_ANY) != 0 &&
         errno == EINTR) {
  }
  return nullptr;
}

napi_value wake(napi_env env, napi_callback_info info) {
  size_t count = 2;
  napi_value argv[2];
  if (napi_get_cb_info(env, info, &count, argv, nullptr, nullptr) != napi_ok || count < 2) {
    return fail(env, "wake takes words and a place");
  }
  const int32_t *word = word_of(env, argv[0], argv[1]);
  if (word == nullptr) return fail(env, "no such word of an Int32Array");
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  return nullptr;
}

/** One of a thread. It is never freed: who rings may have its number for longer than its thread lives. */
struct Bell {
  uv_async_t async;
  napi_env env;
  napi_ref callback;
  napi_async_context context;
  napi_async_cleanup_hook_handle hook;
  std::atomic<bool> is_closed{false};
  /** Threads that are ringing. */
  std::atomic<int> ringing{0};
};

constexpr uint32_t kBellsMax = 1024;
std::atomic<Bell *> bells[kBellsMax];
std::atomic<uint32_t> opened{0};

/** Calls into JavaScript; what is thrown there is an uncaught exception. */
void heard(uv_async_t *async) {
  const auto *bell = static_cast<Bell *>(async->data);
  napi_handle_scope scope;
  if (napi_open_handle_scope(bell->env, &scope) != napi_ok) return;
  napi_value callback, global, error;
  bool has_thrown = false;
  if (napi_get_reference_value(bell->env, bell->callback, &callback) == napi_ok &&
      napi_get_global(bell->env, &global) == napi_ok &&
      napi_make_callback(bell->env, bell->context, global, callback, 0, nullptr, nullptr) != napi_ok &&
      napi_is_exception_pending(bell->env, &has_thrown) == napi_ok && has_thrown &&
      napi_get_and_clear_last_exception(bell->env, &error) == napi_ok) {
    napi_fatal_exception(bell->env, error);
  }
  napi_close_handle_scope(bell->env, scope);
}

/** The thread ends: nobody may be ringing when its loop does. */
void close(napi_async_cleanup_hook_handle, void *data) {
  auto *bell = static_cast<Bell *>(data);
  bell->is_closed = true;
  while (bell->ringing != 0) sched_yield();
  uv_close(reinterpret_cast<uv_handle_t *>(&bell->async), [](uv_handle_t *handle) {
    napi_remove_async_cleanup_hook(static_cast<Bell *>(handle->data)->hook);
  });
}

napi_value open(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value callback, name, number;
  napi_valuetype type;
  if (napi_get_cb_info(env, info, &count, &callback, nullptr, nullptr) != napi_ok || count < 1 ||
      napi_typeof(env, callback, &type) != napi_ok || type != napi_function) {
    return fail(env, "open takes a function");
  }
  const uint32_t at = opened++;
  if (at >= kBellsMax) return fail(env, "too many bells");
  auto *bell = new Bell;
  bell->env = env;
  bell->async.data = bell;
  uv_loop_t *loop;
  if (napi_create_reference(env, callback, 1, &bell->callback) != napi_ok ||
      napi_create_string_utf8(env, "bell", NAPI_AUTO_LENGTH, &name) != napi_ok ||
      napi_async_init(env, nullptr, name, &bell->context) != napi_ok || napi_get_uv_event_loop(env, &loop) != napi_ok ||
      uv_async_init(loop, &bell->async, heard) != 0) {
    return fail(env, "no bell");
  }
  uv_unref(reinterpret_cast<uv_handle_t *>(&bell->async));
  if (napi_add_async_cleanup_hook(env, close, bell, &bell->hook) != napi_ok) return fail(env, "no end of the bell");
  bells[at] = bell;
  return napi_create_uint32(env, at + 1, &number) == napi_ok ? number : nullptr;
}

/** The bell of this number; null where there is none. */
Bell *bell_of(napi_env env, napi_value number) {
  uint32_t at;
  if (napi_get_value_uint32(env, number, &at) != napi_ok || at == 0 || at > kBellsMax) return nullptr;
  return bells[at - 1];
}

napi_value hold(napi_env env, napi_callback_info info) {
  size_t count = 2;
  napi_value argv[2];
  bool is_held;
  if (napi_get_cb_info(env, info, &count, argv, nullptr, nullptr) != napi_ok || count < 2 ||
      napi_get_value_bool(env, argv[1], &is_held) != napi_ok) {
    return fail(env, "hold takes a bell and a boolean");
  }
  Bell *bell = bell_of(env, argv[0]);
  if (bell == nullptr || bell->env != env) return fail(env, "no such bell");
  auto *handle = reinterpret_cast<uv_handle_t *>(&bell->async);
  if (is_held) {
    uv_ref(handle);
  } else {
    uv_unref(handle);
  }
  return nullptr;
}

napi_value ring(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value number;
  if (napi_get_cb_info(env, info, &count, &number, nullptr, nullptr) != napi_ok || count < 1) {
    return fail(env, "ring takes a bell");
  }
  Bell *bell = bell_of(env, number);
  if (bell == nullptr) return fail(env, "no such bell");
  bell->ringing++;
  if (!bell->is_closed) uv_async_send(&bell->async);
  bell->ringing--;
  return nullptr;
}

}  // namespace

bool define_wake(napi_env env, napi_value exports) {
  const napi_property_descriptor functions[] = {
      {"wait", nullptr, wait, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"wake", nullptr, wake, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"open", nullptr, open, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"hold", nullptr, hold, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"ring", nullptr, ring, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
  };
  return napi_define_properties(env, exports, sizeof functions / sizeof *functions, functions) == napi_ok;
}
