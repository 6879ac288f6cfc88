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
  napi_value argv[2];
  void *decoder;
  Array body, rows;
  if (!read_arguments(env, info, argv, &decoder) || !array_of(env, argv[0], napi_uint8_array, &body) ||
      !array_of(env, argv[1], napi_uint32_array, &rows)) {
    return fail(env, "decode takes a Uint8Array and a Uint32Array");
  }
  prestate::RequestDecoder &requests = *static_cast<prestate::RequestDecoder *>(decoder);
  if (rows.length < size_t(requests.limits().calls_max) * prestate::kRowWords) return fail(env, "too few rows");
  const int32_t kind = requests.decode(body.bytes(), body.length, static_cast<uint32_t *>(rows.data),
                                       uint32_t(rows.length / prestate::kRowWords));
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
  napi_value argv[4];
  uint32_t values[4];
  if (!read_arguments(env, info, argv)) return fail(env, "create takes four limits");
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
  napi_value argv[1];
  uint32_t bytes = 0;
  if (!read_arguments(env, info, argv) || napi_get_value_uint32(env, argv[0], &bytes) != napi_ok)
    return fail(env, "mapLargeBlocks takes a number of bytes");
  return boolean(env, prestate::map_large_blocks(bytes));
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
  napi_value argv[4];
  Array body, call;
  uint32_t offset, length;
  if (!read_arguments(env, info, argv) || !array_of(env, argv[0], napi_uint8_array, &body) ||
      napi_get_value_uint32(env, argv[1], &offset) != napi_ok ||
      napi_get_value_uint32(env, argv[2], &length) != napi_ok || !array_of(env, argv[3], napi_uint8_array, &call) ||
      offset > body.length || length > body.length - offset || call.length < sizeof(prestate::PlainCall) ||
      reinterpret_cast<uintptr_t>(call.data) % alignof(prestate::PlainCall) != 0) {
    return fail(env, "readCall takes a body, an offset in it, and an array for the call");
  }
  auto *const plain = static_cast<prestate::PlainCall *>(call.data);
  return boolean(env, prestate::PlainCallReader(body.bytes() + offset, length, plain).read());
}

/** `hex(bytes, digits)` writes two lower-case hex digits for each byte to the start of `digits`. */
napi_value hex(napi_env env, napi_callback_info info) {
  Array given[2];
  if (!read_arrays(env, info, given)) return fail(env, "hex takes two Uint8Arrays");
  if (given[1].length < 2 * given[0].length) return fail(env, "hex needs two digits a byte");
  prestate::write_hex(given[0].bytes(), given[0].length, given[1].bytes());
  return nullptr;
}

/** `unhex(digits, bytes)` fills `bytes` from twice as many hex digits; returns false if one is not a hex digit. */
napi_value unhex(napi_env env, napi_callback_info info) {
  Array given[2];
  if (!read_arrays(env, info, given)) return fail(env, "unhex takes two Uint8Arrays");
  if (given[0].length != 2 * given[1].length) return fail(env, "unhex needs two digits a byte");
  return boolean(env, prestate::hex_bytes(given[0].bytes(), given[1].bytes(), given[1].length));
}

}  // namespace

bool define_json(napi_env env, napi_value exports) {
  const napi_property_descriptor properties[] = {
      function("create", create),
      function("hex", hex),
      function("mapLargeBlocks", map_large_blocks),
      function("readCall", read_call),
      function("simd", simd),
      function("trimHeap", trim_heap),
      function("unhex", unhex),
  };
  return define_functions(env, exports, properties);
}
