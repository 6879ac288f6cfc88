// The parts of the native addon, and helpers that read their arguments. When a thread loads the addon, each part
// defines its functions on an object of its own, and returns whether that worked. The parts know nothing else about
// each other.
#pragma once

#include <cstddef>
#include <cstdint>

#include <node_api.h>

/** Address and length of a typed array's contents. */
struct Array {
  void *data = nullptr;
  size_t length = 0;

  uint8_t *bytes() const { return static_cast<uint8_t *>(data); }
};

/** Throws an error in JavaScript. Returns the value that the native function must then return. */
inline napi_value fail(napi_env env, const char *text) {
  napi_throw_error(env, nullptr, text);
  return nullptr;
}

/** Reads a typed array; returns false if `value` is not an array of this type. */
inline bool array_of(napi_env env, napi_value value, napi_typedarray_type type, Array *array) {
  napi_typedarray_type actual;
  return napi_get_typedarray_info(env, value, &actual, &array->length, &array->data, nullptr, nullptr) == napi_ok &&
         actual == type;
}

/** Reads the first `Count` arguments of a call, and the data of its function; returns false if there are fewer. */
template <size_t Count>
bool read_arguments(napi_env env, napi_callback_info info, napi_value (&values)[Count], void **data = nullptr) {
  size_t count = Count;
  return napi_get_cb_info(env, info, &count, values, nullptr, data) == napi_ok && count >= Count;
}

/** Reads the arguments of a call if they are `Count` Uint8Arrays; returns false if they are anything else. */
template <size_t Count>
bool read_arrays(napi_env env, napi_callback_info info, Array (&arrays)[Count]) {
  napi_value values[Count];
  size_t count = Count;
  if (napi_get_cb_info(env, info, &count, values, nullptr, nullptr) != napi_ok || count != Count) return false;
  for (size_t i = 0; i < Count; i++)
    if (!array_of(env, values[i], napi_uint8_array, &arrays[i])) return false;
  return true;
}

/** Converts a truth value for JavaScript. */
inline napi_value boolean(napi_env env, bool value) {
  napi_value result;
  return napi_get_boolean(env, value, &result) == napi_ok ? result : nullptr;
}

/** Describes a function of a part. */
constexpr napi_property_descriptor function(const char *name, napi_callback run) {
  return {name, nullptr, run, nullptr, nullptr, nullptr, napi_enumerable, nullptr};
}

/** Defines the functions of a part on its object. */
template <size_t Count>
bool define_functions(napi_env env, napi_value exports, const napi_property_descriptor (&functions)[Count]) {
  return napi_define_properties(env, exports, Count, functions) == napi_ok;
}

/**
 * Creates a JavaScript function with `data`, which `release` frees when the function is garbage-collected. Throws if
 * there is no memory.
 */
inline napi_value function_on(napi_env env, const char *name, napi_callback run, void *data, napi_finalize release) {
  napi_value function;
  if (napi_create_function(env, name, NAPI_AUTO_LENGTH, run, data, &function) == napi_ok &&
      napi_add_finalizer(env, function, data, release, nullptr, nullptr) == napi_ok) {
    return function;
  }
  release(env, data, nullptr);
  return fail(env, "no function");
}

bool define_httpGuard(napi_env env, napi_value exports);
bool define_json(napi_env env, napi_value exports);
bool define_precompiles(napi_env env, napi_value exports);
bool define_reads(napi_env env, napi_value exports);
bool define_secp256k1(napi_env env, napi_value exports);
bool define_wake(napi_env env, napi_value exports);
