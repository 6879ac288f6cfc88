// The Node-API function of libsecp256k1. It never throws in C++, and makes no call that Node.js refuses in a thread
// that is being terminated. The npm package's own addon makes such calls, which crash the process.
#include <cstdlib>
#include <mutex>

#include <node_api.h>

#include "addon-modules.h"
#include "libsecp256k1.h"

namespace {

constexpr size_t kHash = 32;
constexpr size_t kSignature = 64;
constexpr size_t kKey = 65;

/**
 * Returns the library's context; null if there is no memory for it. The first thread that can allocate the context
 * creates it, and it never changes afterwards.
 */
const secp256k1_context *context() {
  static std::mutex mutex;
  static const secp256k1_context *made = nullptr;
  const std::lock_guard<std::mutex> lock(mutex);
  if (made != nullptr) return made;
  // Allocated here, because the library would abort the process if its own allocation failed.
  void *const memory = std::malloc(secp256k1_context_preallocated_size(SECP256K1_CONTEXT_VERIFY));
  if (memory != nullptr) made = secp256k1_context_preallocated_create(memory, SECP256K1_CONTEXT_VERIFY);
  return made;
}

/**
 * Defines the JavaScript function (hashes, parities, r and s, keys). Writes the public key of each signature, or zeros
 * if the signature is invalid.
 */
napi_value recover(napi_env env, napi_callback_info info) {
  Array arrays[4];
  const auto &[hashes, parities, numbers, keys] = arrays;
  const bool are_bytes = read_arrays(env, info, arrays);
  const size_t count = parities.length;
  if (!are_bytes || count > PRESTATE_SIGNATURES_MAX || hashes.length != kHash * count ||
      numbers.length != kSignature * count || keys.length != kKey * count) {
    napi_throw_type_error(env, nullptr, "not up to 16 hashes, parities, signatures and places for keys");
    return nullptr;
  }
  for (size_t at = 0; at < count; at++) {
    if (parities.bytes()[at] <= 1) continue;
    napi_throw_type_error(env, nullptr, "not a parity");
    return nullptr;
  }
  const secp256k1_context *const made = context();
  if (made == nullptr) return fail(env, "no memory");
  const prestate_signatures all = {count, hashes.bytes(), parities.bytes(), numbers.bytes()};
  prestate_recover(made, &all, keys.bytes());
  return nullptr;
}

}  // namespace

bool define_secp256k1(napi_env env, napi_value exports) {
  return define_functions(env, exports, {function("recover", recover)});
}
