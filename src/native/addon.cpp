// Defines the addon: an object with one member for each part that it was built with. Every thread may load it.
#include "addon-modules.h"

namespace {

struct Part {
  const char *name;
  bool (*define)(napi_env env, napi_value exports);
};

/** All parts, sorted by name; binding.gyp selects which of them are built. */
constexpr Part kParts[] = {
#ifdef PRESTATE_HTTP_GUARD
    {"httpGuard", define_httpGuard},
#endif
#ifdef PRESTATE_JSON
    {"json", define_json},
#endif
#ifdef PRESTATE_PRECOMPILES
    {"precompiles", define_precompiles},
#endif
#ifdef PRESTATE_READS
    {"reads", define_reads},
#endif
#ifdef PRESTATE_SECP256K1
    {"secp256k1", define_secp256k1},
#endif
#ifdef PRESTATE_WAKE
    {"wake", define_wake},
#endif
};

}  // namespace

NAPI_MODULE_INIT() {
  for (const Part &part : kParts) {
    napi_value functions;
    if (napi_create_object(env, &functions) != napi_ok || !part.define(env, functions) ||
        napi_set_named_property(env, exports, part.name, functions) != napi_ok) {
      return nullptr;
    }
  }
  return exports;
}
