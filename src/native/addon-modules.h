// The parts of the native addon, and helpers that read their arguments. When a thread loads the addon, each part
// defines its functions on an object of its own, and returns whether that worked. The parts know nothing else about
// each other.
#ifndef PRESTATE_ADDON_MODULES_H
#define PRESTATE_ADDON_MODULES_H

#include <cstddef>

#include <node_api.h>

/** Address and length of a typed array's contents. */
struct Array {
  void *data = nullptr;
  size_t length = 0;
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

#endif
