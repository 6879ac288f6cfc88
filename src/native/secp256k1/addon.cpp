// The Node-API side of libsecp256k1. Nothing here throws in C++, nor needs a call that Node.js refuses in a thread that is being
// ended: the npm package's own addon does, and takes the process with it.
#include <node_api.h>
#include <secp256k1_recovery.h>

#include "parts.h"

namespace {

constexpr size_t kHash = 32;
constexpr size_t kSignature = 64;
constexpr size_t kKey = 65;

/** Made by the first thread; nobody writes to it afterwards. */
const secp256k1_context *context() {
  static const secp256k1_context *const made = secp256k1_context_create(SECP256K1_CONTEXT_VERIFY);
  return made;
}

/** The bytes of a Uint8Array of this length; null for anything else. */
uint8_t *bytes(napi_env env, napi_value value, size_t expected) {
  napi_typedarray_type type;
  size_t length;
  void *data;
  if (napi_get_typedarray_info(env, value, &type, &length, &data, nullptr, nullptr) != napi_ok) return nullptr;
  return type == napi_uint8_array && length == expected ? static_cast<uint8_t *>(data) : nullptr;
}

bool find_key(const uint8_t *hash, int parity, const uint8_t *numbers, uint8_t *output) {
  secp256k1_ecdsa_recoverable_signature signature;
  secp256k1_pubkey key;
  if (secp256k1_ecdsa_recoverable_signature_parse_compact(context(), &signature, numbers, parity) == 0) return false;
  if (secp256k1_ecdsa_recover(context(), &key, &signature, hash) == 0) return false;
  size_t length = kKey;
  return secp256k1_ec_pubkey_serialize(context(), output, &length, &key, SECP256K1_EC_UNCOMPRESSED) == 1;
}

/** (hash, parity, r and s, output): whether there is a key, which is then in the output. */
napi_value recover(napi_env env, napi_callback_info info) {
  napi_value values[4];
  size_t count = 4;
  if (napi_get_cb_info(env, info, &count, values, nullptr, nullptr) != napi_ok) return nullptr;
  const uint8_t *const hash = bytes(env, values[0], kHash);
  const uint8_t *const numbers = bytes(env, values[2], kSignature);
  uint8_t *const output = bytes(env, values[3], kKey);
  int32_t parity;
  const bool is_parity = napi_get_value_int32(env, values[1], &parity) == napi_ok && (parity == 0 || parity == 1);
  if (hash == nullptr || numbers == nullptr || output == nullptr || !is_parity) {
    napi_throw_type_error(env, nullptr, "not a hash, a parity, a signature and a place for the key");
    return nullptr;
  }
  napi_value found;
  return napi_get_boolean(env, find_key(hash, parity, numbers, output), &found) == napi_ok ? found : nullptr;
}

}  // namespace

bool define_secp256k1(napi_env env, napi_value exports) {
  const napi_property_descriptor property = {"recover", nullptr, recover, nullptr, nullptr, nullptr, napi_enumerable, nullptr};
  return napi_define_properties(env, exports, 1, &property) == napi_ok;
}
