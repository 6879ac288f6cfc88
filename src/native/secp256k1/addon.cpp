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

/** Reads address and length of a Uint8Array; returns null for any other value. */
uint8_t *bytes(napi_env env, napi_value value, size_t *length) {
  napi_typedarray_type type;
  void *data;
  if (napi_get_typedarray_info(env, value, &type, length, &data, nullptr, nullptr) != napi_ok) return nullptr;
  return type == napi_uint8_array ? static_cast<uint8_t *>(data) : nullptr;
}

/**
 * Defines the JavaScript function (hashes, parities, r and s, keys). Writes the public key of each signature, or zeros
 * if the signature is invalid.
 */
napi_value recover(napi_env env, napi_callback_info info) {
  napi_value values[4];
  size_t arguments = 4;
  if (napi_get_cb_info(env, info, &arguments, values, nullptr, nullptr) != napi_ok) return nullptr;
  size_t hashes, count, numbers, keys;
  prestate_signatures all;
  all.hashes = bytes(env, values[0], &hashes);
  all.parities = bytes(env, values[1], &count);
  all.numbers = bytes(env, values[2], &numbers);
  all.count = count;
  uint8_t *const output = bytes(env, values[3], &keys);
  const bool are_bytes = all.hashes != nullptr && all.parities != nullptr && all.numbers != nullptr &&
      output != nullptr;
  const bool fit = are_bytes && count <= PRESTATE_SIGNATURES_MAX && hashes == kHash * count &&
      numbers == kSignature * count && keys == kKey * count;
  if (!fit) {
    napi_throw_type_error(env, nullptr, "not up to 16 hashes, parities, signatures and places for keys");
    return nullptr;
  }
  for (size_t at = 0; at < count; at++) {
    if (all.parities[at] <= 1) continue;
    napi_throw_type_error(env, nullptr, "not a parity");
    return nullptr;
  }
  const secp256k1_context *const made = context();
  if (made == nullptr) return fail(env, "no memory");
  prestate_recover(made, &all, output);
  return nullptr;
}

}  // namespace

bool define_secp256k1(napi_env env, napi_value exports) {
  const napi_property_descriptor property =
      {"recover", nullptr, recover, nullptr, nullptr, nullptr, napi_enumerable, nullptr};
  return napi_define_properties(env, exports, 1, &property) == napi_ok;
}
