// The Node-API side of the allocator's setting, `mapLargeBlocks(bytes)`, of long hexadecimal text, `hex(bytes, digits)` and
// `unhex(digits, bytes)`, and of the simdjson decoder: `create(bodyBytesMax, depthMax, callsMax, idsMax)` makes a decoder with buffers of its own
// and returns `{ bind(rows), decode(body) }`. Nothing is global, so every thread may load it.
//
// `decode` answers 4 * count + body (request-row.ts: BODY), -1 for malformed text, and -n when a batch that is too large
// needs n rows: bind as many and decode again. It allocates nothing but, rarely, a larger index for a larger body.
#include <node_api.h>

#include "allocator.h"
#include "parts.h"
#include "request.h"
#include "simdjson.cpp"

namespace {

struct Decoder {
  explicit Decoder(prestate::Limits limits) : requests(limits) {}
  prestate::RequestDecoder requests;
  // Held by reference, so that looking the words up costs nothing per call. Their owner never detaches the buffer.
  napi_ref rows_ref = nullptr;
  uint32_t *rows = nullptr;
  uint32_t rows_max = 0;
};

napi_value fail(napi_env env, const char *text) {
  napi_throw_error(env, nullptr, text);
  return nullptr;
}

/** The decoder behind a call, and its single argument as a typed array of `type`; null when it is none. */
Decoder *arguments(napi_env env, napi_callback_info info, napi_typedarray_type type, napi_value *array, size_t *length,
                   void **data) {
  void *decoder = nullptr;
  size_t count = 1;
  napi_typedarray_type actual;
  if (napi_get_cb_info(env, info, &count, array, nullptr, &decoder) != napi_ok || count < 1) return nullptr;
  if (napi_get_typedarray_info(env, *array, &actual, length, data, nullptr, nullptr) != napi_ok) return nullptr;
  return actual == type ? static_cast<Decoder *>(decoder) : nullptr;
}

napi_value decode(napi_env env, napi_callback_info info) {
  napi_value array;
  size_t length = 0;
  void *data = nullptr;
  Decoder *decoder = arguments(env, info, napi_uint8_array, &array, &length, &data);
  if (decoder == nullptr || decoder->rows == nullptr) return fail(env, "decode takes a Uint8Array, after bind");
  prestate::RequestDecoder &requests = decoder->requests;
  const int32_t body = requests.decode(static_cast<const uint8_t *>(data), length, decoder->rows, decoder->rows_max);
  if (requests.out_of_memory()) return fail(env, "no memory for the decoder's index");
  int32_t answer = body;
  if (requests.rows_needed() > 0) answer = -int32_t(requests.rows_needed());
  else if (body != prestate::kMalformed) answer = int32_t(requests.count() * 4) + body;
  napi_value result;
  return napi_create_int32(env, answer, &result) == napi_ok ? result : nullptr;
}

napi_value bind(napi_env env, napi_callback_info info) {
  napi_value array;
  size_t length = 0;
  void *data = nullptr;
  Decoder *decoder = arguments(env, info, napi_uint32_array, &array, &length, &data);
  if (decoder == nullptr) return fail(env, "bind takes a Uint32Array");
  if (length < size_t(decoder->requests.limits().calls_max) * prestate::kRowWords) return fail(env, "too few rows");
  napi_ref reference;
  if (napi_create_reference(env, array, 1, &reference) != napi_ok) return fail(env, "rows cannot be referenced");
  if (decoder->rows_ref != nullptr) napi_delete_reference(env, decoder->rows_ref);
  decoder->rows_ref = reference;
  decoder->rows = static_cast<uint32_t *>(data);
  decoder->rows_max = uint32_t(length / prestate::kRowWords);
  return nullptr;
}

void release(napi_env env, void *data, void *) {
  Decoder *decoder = static_cast<Decoder *>(data);
  if (decoder->rows_ref != nullptr) napi_delete_reference(env, decoder->rows_ref);
  delete decoder;
}

napi_value create(napi_env env, napi_callback_info info) {
  size_t count = 4;
  napi_value argv[4];
  uint32_t values[4];
  if (napi_get_cb_info(env, info, &count, argv, nullptr, nullptr) != napi_ok || count < 4) return fail(env, "create takes four limits");
  for (int i = 0; i < 4; i++) {
    if (napi_get_value_uint32(env, argv[i], &values[i]) != napi_ok) return fail(env, "a limit is no number");
  }
  // simdjson's plain C++ path reads past the end of the text; no processor that runs Node on a server needs it.
  if (simdjson::get_active_implementation()->name() == "fallback") return fail(env, "no SIMD on this processor");
  Decoder *decoder = new (std::nothrow) Decoder({values[0], values[1], values[2], values[3]});
  if (decoder == nullptr) return fail(env, "no memory");
  napi_value object;
  napi_value functions[2];
  // The tag object owns the decoder; both functions hold the tag through a property, and so keep the decoder alive.
  if (napi_create_object(env, &object) != napi_ok ||
      napi_wrap(env, object, decoder, release, nullptr, nullptr) != napi_ok) {
    delete decoder;
    return fail(env, "no object");
  }
  if (napi_create_function(env, "decode", NAPI_AUTO_LENGTH, decode, decoder, &functions[0]) != napi_ok ||
      napi_create_function(env, "bind", NAPI_AUTO_LENGTH, bind, decoder, &functions[1]) != napi_ok ||
      napi_set_named_property(env, functions[0], "owner", object) != napi_ok ||
      napi_set_named_property(env, functions[1], "owner", object) != napi_ok ||
      napi_set_named_property(env, object, "decode", functions[0]) != napi_ok ||
      napi_set_named_property(env, object, "bind", functions[1]) != napi_ok) {
    return fail(env, "no functions");
  }
  return object;
}

napi_value simd(napi_env env, napi_callback_info) {
  const std::string name = simdjson::get_active_implementation()->name();
  napi_value text;
  return napi_create_string_utf8(env, name.c_str(), name.size(), &text) == napi_ok ? text : nullptr;
}

napi_value map_large_blocks(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value argument;
  uint32_t bytes = 0;
  if (napi_get_cb_info(env, info, &count, &argument, nullptr, nullptr) != napi_ok || count < 1 ||
      napi_get_value_uint32(env, argument, &bytes) != napi_ok) {
    return fail(env, "mapLargeBlocks takes a number of bytes");
  }
  napi_value result;
  return napi_get_boolean(env, prestate::map_large_blocks(bytes), &result) == napi_ok ? result : nullptr;
}

/** The two arrays that `hex` and `unhex` take. */
struct Arrays {
  uint8_t *data[2];
  size_t lengths[2];
};

/** False when there are not two Uint8Arrays. */
bool arrays(napi_env env, napi_callback_info info, Arrays *result) {
  size_t count = 2;
  napi_value argv[2];
  napi_typedarray_type type;
  if (napi_get_cb_info(env, info, &count, argv, nullptr, nullptr) != napi_ok || count < 2) return false;
  for (int i = 0; i < 2; i++) {
    void *data = nullptr;
    if (napi_get_typedarray_info(env, argv[i], &type, &result->lengths[i], &data, nullptr, nullptr) != napi_ok ||
        type != napi_uint8_array) {
      return false;
    }
    result->data[i] = static_cast<uint8_t *>(data);
  }
  return true;
}

/** `hex(bytes, digits)`: fills the beginning of `digits` with two lower-case digits for each byte. */
napi_value hex(napi_env env, napi_callback_info info) {
  Arrays given;
  if (!arrays(env, info, &given)) return fail(env, "hex takes two Uint8Arrays");
  if (given.lengths[1] < 2 * given.lengths[0]) return fail(env, "hex needs two digits a byte");
  prestate::write_hex(given.data[0], given.lengths[0], given.data[1]);
  return nullptr;
}

/** `unhex(digits, bytes)`: fills `bytes` from twice as many digits; false when one is no digit. */
napi_value unhex(napi_env env, napi_callback_info info) {
  Arrays given;
  if (!arrays(env, info, &given)) return fail(env, "unhex takes two Uint8Arrays");
  if (given.lengths[0] != 2 * given.lengths[1]) return fail(env, "unhex needs two digits a byte");
  const bool valid = prestate::hex_bytes(given.data[0], given.data[1], given.lengths[1]);
  napi_value result;
  return napi_get_boolean(env, valid, &result) == napi_ok ? result : nullptr;
}

}  // namespace

bool define_json(napi_env env, napi_value exports) {
  const napi_property_descriptor properties[] = {
      {"create", nullptr, create, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"hex", nullptr, hex, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"mapLargeBlocks", nullptr, map_large_blocks, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"simd", nullptr, simd, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"unhex", nullptr, unhex, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
  };
  return napi_define_properties(env, exports, sizeof properties / sizeof *properties, properties) == napi_ok;
}
