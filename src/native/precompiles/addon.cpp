// The Node-API functions of the precompiles. They have an input and an output buffer and return a Status. All global
// data are constant, so every thread may load the addon. This is the only part of the addon with C++ exceptions,
// because std::vector throws if there is no memory.
#include <new>

#include <node_api.h>

#include "blake2f.h"
#include "bn254.h"
#include "modexp.h"
#include "p256.h"
#include "addon-modules.h"
#ifdef PRESTATE_BLST
#include "bls12_381.h"
#endif

namespace {

using prestate::Status;

napi_value refuse(napi_env env) {
  napi_throw_type_error(env, nullptr, "not the arrays that this function takes");
  return nullptr;
}

/** Returns the result of `run` to JavaScript; throws there if there is no memory. */
template <class Run>
napi_value answer(napi_env env, const Run &run) {
  Status status;
  try {
    status = run();
  } catch (const std::bad_alloc &) {
    return fail(env, "no memory");
  }
  napi_value value;
  return napi_create_int32(env, int32_t(status), &value) == napi_ok ? value : nullptr;
}

/** Defines a JavaScript function (input, output) whose arguments both have fixed lengths. */
template <Status (*run)(const uint8_t *, uint8_t *), size_t kInput, size_t kOutput>
napi_value fixed(napi_env env, napi_callback_info info) {
  Array arrays[2];
  if (!read_arrays(env, info, arrays) || arrays[0].length != kInput || arrays[1].length != kOutput) return refuse(env);
  return answer(env, [&] { return run(arrays[0].bytes(), arrays[1].bytes()); });
}

/** Defines a JavaScript function (input) whose input consists of any number of pairs. */
template <Status (*run)(const uint8_t *, size_t), size_t kPair>
napi_value check(napi_env env, napi_callback_info info) {
  Array arrays[1];
  if (!read_arrays(env, info, arrays) || arrays[0].length % kPair != 0) return refuse(env);
  return answer(env, [&] { return run(arrays[0].bytes(), arrays[0].length); });
}

Status blake2f(const uint8_t *input, uint8_t *output) {
  prestate::blake2f::compress(input, output);
  return Status::kDone;
}

napi_value p256_verify(napi_env env, napi_callback_info info) {
  Array arrays[1];
  if (!read_arrays(env, info, arrays) || arrays[0].length != 160) return refuse(env);
  return answer(env, [&] { return prestate::p256::verify(arrays[0].bytes()) ? Status::kDone : Status::kFalse; });
}

/** Defines the JavaScript function (base, exponent, modulus, output). */
napi_value modexp(napi_env env, napi_callback_info info) {
  Array arrays[4];
  if (!read_arrays(env, info, arrays) || arrays[2].length != arrays[3].length) return refuse(env);
  return answer(env, [&] {
    const auto &[base, exponent, modulus, output] = arrays;
    prestate::modexp::power(base.bytes(), base.length, exponent.bytes(), exponent.length, modulus.bytes(),
                            output.bytes(), output.length);
    return Status::kDone;
  });
}

#ifdef PRESTATE_BLST
namespace bls = prestate::bls12_381;

/** Implements the JavaScript function that sums points times scalars: `input` has pairs of them, `output` the sum. */
template <class G>
napi_value sum_of_products(napi_env env, napi_callback_info info) {
  Array arrays[2];
  if (!read_arrays(env, info, arrays) || arrays[0].length % (G::kBytes + bls::kScalar) != 0 ||
      arrays[1].length != G::kBytes) {
    return refuse(env);
  }
  return answer(env, [&] { return bls::sum_of_products<G>(arrays[0].bytes(), arrays[0].length, arrays[1].bytes()); });
}

/** Defines the JavaScript function with the arguments (z, y, commitment and proof) and [s]G2. */
napi_value kzg_verify(napi_env env, napi_callback_info info) {
  Array arrays[2];
  if (!read_arrays(env, info, arrays) || arrays[0].length != 160 || arrays[1].length != 96) return refuse(env);
  return answer(env, [&] { return bls::verify_proof(arrays[0].bytes(), arrays[1].bytes()); });
}
#endif

}  // namespace

bool define_precompiles(napi_env env, napi_value exports) {
  const napi_property_descriptor properties[] = {
      function("bn254Add", fixed<prestate::bn254::sum, 128, 64>),
      function("bn254Mul", fixed<prestate::bn254::product, 96, 64>),
      function("bn254Pairing", check<prestate::bn254::check, 192>),
      function("p256Verify", p256_verify),
      function("modexp", modexp),
      function("blake2f", fixed<blake2f, 213, 64>),
#ifdef PRESTATE_BLST
      function("blsG1Add", fixed<bls::sum<bls::G1>, 2 * bls::G1::kBytes, bls::G1::kBytes>),
      function("blsG2Add", fixed<bls::sum<bls::G2>, 2 * bls::G2::kBytes, bls::G2::kBytes>),
      function("blsG1Msm", sum_of_products<bls::G1>),
      function("blsG2Msm", sum_of_products<bls::G2>),
      function("blsPairing", check<bls::check, bls::G1::kBytes + bls::G2::kBytes>),
      function("blsMapG1", fixed<bls::map<bls::G1>, bls::kField, bls::G1::kBytes>),
      function("blsMapG2", fixed<bls::map<bls::G2>, 2 * bls::kField, bls::G2::kBytes>),
      function("kzgVerify", kzg_verify),
#endif
  };
  return define_functions(env, exports, properties);
}
