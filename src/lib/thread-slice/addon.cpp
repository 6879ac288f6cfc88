// The slice of the calling thread: how long it means to run at a time. Linux.
//
// `set(ns)` asks for a slice of so many nanoseconds, 0 for the system's own, and answers what the system then has: 0 where it has
// none (before Linux 6.12, or a thread that an operator has made a real-time one). All else of the thread stays as it is. Threads
// that it starts have its slice. See sched_setattr(2): sched_runtime of SCHED_OTHER and SCHED_BATCH.
//
// `yield()` lets another thread that waits for the core of this one go first, if one does and its turn has come: sched_yield(2).
#include <cstdint>

#include <node_api.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

/** sched_attr in its first version. */
struct Attributes {
  uint32_t size;
  uint32_t policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime;
  uint64_t deadline;
  uint64_t period;
};
static_assert(sizeof(Attributes) == 48);

constexpr uint32_t kSchedOther = 0;
constexpr uint32_t kSchedBatch = 3;
constexpr int kThisThread = 0;
/** The system's bounds are narrower. */
constexpr double kNsMax = 1e9;

bool read(Attributes &attributes) {
  return syscall(SYS_sched_getattr, kThisThread, &attributes, sizeof(Attributes), 0) == 0 &&
         (attributes.policy == kSchedOther || attributes.policy == kSchedBatch);
}

napi_value set(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value argument, result;
  double ns;
  if (napi_get_cb_info(env, info, &count, &argument, nullptr, nullptr) != napi_ok || count < 1 ||
      napi_get_value_double(env, argument, &ns) != napi_ok || !(ns >= 0 && ns <= kNsMax)) {
    napi_throw_error(env, nullptr, "set takes nanoseconds");
    return nullptr;
  }
  Attributes attributes{};
  if (read(attributes)) {
    attributes.runtime = uint64_t(ns);
    // A sandbox may forbid the call: then all stays as it is, which is what is read.
    syscall(SYS_sched_setattr, kThisThread, &attributes, 0);
  }
  const uint64_t slice = read(attributes) ? attributes.runtime : 0;
  return napi_create_double(env, double(slice), &result) == napi_ok ? result : nullptr;
}

napi_value yield(napi_env, napi_callback_info) {
  sched_yield();
  return nullptr;
}

}  // namespace

NAPI_MODULE_INIT() {
  const napi_property_descriptor functions[] = {
      {"set", nullptr, set, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"yield", nullptr, yield, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
  };
  return napi_define_properties(env, exports, 2, functions) == napi_ok ? exports : nullptr;
}
