// The parts of the addon. When a thread loads one, it defines its functions on an object of its own, and answers whether
// it could. Nothing else of a part is seen by the others.
#ifndef PRESTATE_PARTS_H
#define PRESTATE_PARTS_H

#include <node_api.h>

bool define_door(napi_env env, napi_value exports);
bool define_json(napi_env env, napi_value exports);
bool define_precompiles(napi_env env, napi_value exports);
bool define_reads(napi_env env, napi_value exports);
bool define_secp256k1(napi_env env, napi_value exports);
bool define_wake(napi_env env, napi_value exports);

#endif
