// The Node-API functions of this part. Memory: `mapLargeBlocks(bytes)` and `trimHeap()`. Long hex strings: `hex(bytes,
// digits)` and `unhex(digits, bytes)`. Simple calls: `readCall(body, offset, length, call)`. The simdjson decoder:
// `create(bodyBytesMax, depthMax, callsMax, idsMax)` returns a function `decode(body, rows)` with buffers of its own.
// Nothing is global, so every thread may load it.
//
// `decode` returns 4 * count + kind of body (BODY in decoded-call-row.ts), or -1 for malformed JSON, or -n if a batch
// is too large for `rows`, needs n rows, and must be decoded again. It allocates nothing, except sometimes a larger
// index for a larger body.
#include <node_api.h>

#include "malloc-tuning.h"
#include "addon-modules.h"
#include "call_params.h"
#include "body_decoder.h"
#include "simdjson.cpp"

namespace {

napi_value decode(napi_env env, napi_callback_info info) {
  size_t count = 2;
  napi_value argv[2];
  void *decoder;
  Array body, rows;
  if (napi_get_cb_info(env, info, &count, argv, nullptr, &decoder) != napi_ok || count < 2 ||
      !array_of(env, argv[0], napi_uint8_array, &body) || !array_of(env, argv[1], napi_uint32_array, &rows)) {
    return fail(env, "decode takes a Uint8Array and a Uint32Array");
  }
  prestate::RequestDecoder &requests = *static_cast<prestate::RequestDecoder *>(decoder);
  if (rows.length < size_t(requests.limits().calls_max) * prestate::kRowWords) return fail(env, "too few rows");
  const int32_t kind = requests.decode(static_cast<const uint8_t *>(body.data), body.length,
                                       static_cast<uint32_t *>(rows.data), uint32_t(rows.length / prestate::kRowWords));
  if (requests.out_of_memory()) return fail(env, "no memory for the decoder's index");
  int32_t answer = kind;
  if (requests.rows_needed() > 0) answer = -int32_t(requests.rows_needed());
  else if (kind != prestate::kMalformed) answer = int32_t(requests.count() * 4) + kind;
  napi_value result;
  return napi_create_int32(env, answer, &result) == napi_ok ? result : nullptr;
}

void release(napi_env, void *decoder, void *) {
  delete static_cast<prestate::RequestDecoder *>(decoder);
}

napi_value create(napi_env env, napi_callback_info info) {
  size_t count = 4;
  napi_value argv[4];
  uint32_t values[4];
  if (napi_get_cb_info(env, info, &count, argv, nullptr, nullptr) != napi_ok || count < 4)
    return fail(env, "create takes four limits");
  for (int i = 0; i < 4; i++) {
    if (napi_get_value_uint32(env, argv[i], &values[i]) != napi_ok) return fail(env, "a limit is no number");
  }
  // simdjson's portable C++ code reads beyond the end of the input, so it is not used. Every processor of a server that
  // runs Node has SIMD.
  if (simdjson::get_active_implementation()->name() == "fallback") return fail(env, "no SIMD on this processor");
  auto *decoder = new (std::nothrow) prestate::RequestDecoder({values[0], values[1], values[2], values[3]});
  return decoder == nullptr ? fail(env, "no memory") : function_on(env, "decode", decode, decoder, release);
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

napi_value trim_heap(napi_env, napi_callback_info) {
  prestate::trim_heap();
  return nullptr;
}

/**
 * `readCall(body, offset, length, call)` parses call parameters; returns false if they are not in the form that
 * call_params.h reads.
 */
napi_value read_call(napi_env env, napi_callback_info info) {
  size_t count = 4;
  napi_value argv[4], result;
  Array body, call;
  uint32_t offset, length;
  if (napi_get_cb_info(env, info, &count, argv, nullptr, nullptr) != napi_ok || count < 4 ||
      !array_of(env, argv[0], napi_uint8_array, &body) || napi_get_value_uint32(env, argv[1], &offset) != napi_ok ||
      napi_get_value_uint32(env, argv[2], &length) != napi_ok || !array_of(env, argv[3], napi_uint8_array, &call) ||
      offset > body.length || length > body.length - offset || call.length < sizeof(prestate::PlainCall) ||
      reinterpret_cast<uintptr_t>(call.data) % alignof(prestate::PlainCall) != 0) {
    return fail(env, "readCall takes a body, an offset in it, and an array for the call");
  }
  const auto *text = static_cast<const uint8_t *>(body.data) + offset;
  const bool isPlain = prestate::PlainCallReader(text, length, static_cast<prestate::PlainCall *>(call.data)).read();
  return napi_get_boolean(env, isPlain, &result) == napi_ok ? result : nullptr;
}

/** Reads the two Uint8Array arguments of `hex` and `unhex`; returns false if they are anything else. */
bool arrays(napi_env env, napi_callback_info info, Array *given) {
  size_t count = 2;
  napi_value argv[2];
  return napi_get_cb_info(env, info, &count, argv, nullptr, nullptr) == napi_ok && count == 2 &&
         array_of(env, argv[0], napi_uint8_array, &given[0]) && array_of(env, argv[1], napi_uint8_array, &given[1]);
}

uint8_t *bytes_of(const Array &array) {
  return static_cast<uint8_t *>(array.data);
}

/** `hex(bytes, digits)` writes two lower-case hex digits for each byte to the start of `digits`. */
napi_value hex(napi_env env, napi_callback_info info) {
  Array given[2];
  if (!arrays(env, info, given)) return fail(env, "hex takes two Uint8Arrays");
  if (given[1].length < 2 * given[0].length) return fail(env, "hex needs two digits a byte");
  prestate::write_hex(bytes_of(given[0]), given[0].length, bytes_of(given[1]));
  return nullptr;
}

/** `unhex(digits, bytes)` fills `bytes` from twice as many hex digits; returns false if one is not a hex digit. */
napi_value unhex(napi_env env, napi_callback_info info) {
  Array given[2];
  if (!arrays(env, info, given)) return fail(env, "unhex takes two Uint8Arrays");
  if (given[0].length != 2 * given[1].length) return fail(env, "unhex needs two digits a byte");
  const bool valid = prestate::hex_bytes(bytes_of(given[0]), bytes_of(given[1]), given[1].length);
  napi_value result;
  return napi_get_boolean(env, valid, &result) == napi_ok ? result : nullptr;
}

}  // namespace

bool define_json(napi_env env, napi_value exports) {
  const napi_property_descriptor properties[] = {
      {"create", nullptr, create, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"hex", nullptr, hex, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"mapLargeBlocks", nullptr, map_large_blocks, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"readCall", nullptr, read_call, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"simd", nullptr, simd, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"trimHeap", nullptr, trim_heap, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"unhex", nullptr, unhex, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
  };
  return napi_define_properties(env, exports, sizeof properties / sizeof *properties, properties) == napi_ok;
}
