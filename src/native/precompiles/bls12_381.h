// Points and pairings of BLS12-381 (EIP-2537), and KZG proofs (EIP-4844), computed with the library blst.
//
// Field elements have 64 bytes; the caller has checked that the first 16 are zero. A point whose bytes are all zero is
// infinity.
#pragma once

#include <cstdlib>
#include <cstring>
#include <vector>

#include "blst.h"
#include "status.h"

namespace prestate::bls12_381 {

constexpr size_t kField = 64, kScalar = 32, kScalarBits = 255;
constexpr uint8_t kModulus[48] = {
    0x1a, 0x01, 0x11, 0xea, 0x39, 0x7f, 0xe6, 0x9a, 0x4b, 0x1b, 0xa7, 0xb6, 0x43, 0x4b, 0xac, 0xd7,
    0x64, 0x77, 0x4b, 0x84, 0xf3, 0x85, 0x12, 0xbf, 0x67, 0x30, 0xd2, 0xa0, 0xf6, 0xb0, 0xf6, 0x24,
    0x1e, 0xab, 0xff, 0xfe, 0xb1, 0x53, 0xff, 0xff, 0xb9, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xaa, 0xab,
};

inline bool read(blst_fp &number, const uint8_t *bytes) {
  if (std::memcmp(bytes + 16, kModulus, sizeof kModulus) >= 0) return false;
  blst_fp_from_bendian(&number, bytes + 16);
  return true;
}

inline bool read(blst_fp2 &number, const uint8_t *bytes) {
  return read(number.fp[0], bytes) && read(number.fp[1], bytes + kField);
}

inline void write(const blst_fp &number, uint8_t *bytes) {
  std::memset(bytes, 0, 16);
  blst_bendian_from_fp(bytes + 16, &number);
}

inline void write(const blst_fp2 &number, uint8_t *bytes) {
  write(number.fp[0], bytes);
  write(number.fp[1], bytes + kField);
}

/** blst's types and functions for one of the two groups. */
struct G1 {
  using Coordinate = blst_fp;
  using Point = blst_p1;
  using Affine = blst_p1_affine;
  static constexpr size_t kBytes = 2 * kField;
  static constexpr Status kBeyondField = Status::kNotOnCurve;
  static constexpr auto on_curve = blst_p1_affine_on_curve;
  static constexpr auto in_group = blst_p1_affine_in_g1;
  static constexpr auto is_infinity = blst_p1_affine_is_inf;
  static constexpr auto to_affine = blst_p1_to_affine;
  static constexpr auto from_affine = blst_p1_from_affine;
  static constexpr auto add = blst_p1_add_or_double_affine;
  static constexpr auto map = blst_map_to_g1;
  static constexpr auto sum_of_products = blst_p1s_mult_pippenger;
  static constexpr auto scratch_bytes = blst_p1s_mult_pippenger_scratch_sizeof;
};

struct G2 {
  using Coordinate = blst_fp2;
  using Point = blst_p2;
  using Affine = blst_p2_affine;
  static constexpr size_t kBytes = 4 * kField;
  static constexpr Status kBeyondField = Status::kNotInField;
  static constexpr auto on_curve = blst_p2_affine_on_curve;
  static constexpr auto in_group = blst_p2_affine_in_g2;
  static constexpr auto is_infinity = blst_p2_affine_is_inf;
  static constexpr auto to_affine = blst_p2_to_affine;
  static constexpr auto from_affine = blst_p2_from_affine;
  static constexpr auto add = blst_p2_add_or_double_affine;
  static constexpr auto map = blst_map_to_g2;
  static constexpr auto sum_of_products = blst_p2s_mult_pippenger;
  static constexpr auto scratch_bytes = blst_p2s_mult_pippenger_scratch_sizeof;
};

/** Reads a point of the curve, which need not be in the subgroup. */
template <class G>
Status read_any(typename G::Affine &point, const uint8_t *bytes) {
  if (!read(point.x, bytes) || !read(point.y, bytes + G::kBytes / 2)) return G::kBeyondField;
  return G::on_curve(&point) ? Status::kDone : Status::kNotOnCurve;
}

/** Reads a point of the curve, which must be in the subgroup. */
template <class G>
Status read_member(typename G::Affine &point, const uint8_t *bytes) {
  const Status status = read_any<G>(point, bytes);
  if (status != Status::kDone) return status;
  return G::in_group(&point) ? Status::kDone : Status::kNotOnCurve;
}

/** Writes a point. Infinity needs no special case: blst's affine coordinates of it are zero, too. */
template <class G>
void write(const typename G::Point &point, uint8_t *output) {
  typename G::Affine affine;
  G::to_affine(&affine, &point);
  write(affine.x, output);
  write(affine.y, output + G::kBytes / 2);
}

/** Implements G1ADD and G2ADD, whose points need not be in the subgroup. */
template <class G>
Status sum(const uint8_t *input, uint8_t *output) {
  typename G::Affine a, b;
  Status status = read_any<G>(a, input);
  if (status == Status::kDone) status = read_any<G>(b, input + G::kBytes);
  if (status != Status::kDone) return status;
  typename G::Point point;
  G::from_affine(&point, &a);
  G::add(&point, &point, &b);
  write<G>(point, output);
  return Status::kDone;
}

/** Implements G1MSM and G2MSM with Pippenger's algorithm; pairs that contribute nothing are left out. */
template <class G>
Status sum_of_products(const uint8_t *input, size_t bytes, uint8_t *output) {
  const size_t pair = G::kBytes + kScalar;
  std::vector<typename G::Affine> points;
  std::vector<blst_scalar> scalars;
  points.reserve(bytes / pair);
  scalars.reserve(bytes / pair);
  for (const uint8_t *at = input; at < input + bytes; at += pair) {
    typename G::Affine point;
    blst_scalar scalar;
    const Status status = read_member<G>(point, at);
    if (status != Status::kDone) return status;
    // Reduces the scalar by the group order; the result is false if it is zero then.
    if (!blst_scalar_from_be_bytes(&scalar, at + G::kBytes, kScalar) || G::is_infinity(&point)) continue;
    points.push_back(point);
    scalars.push_back(scalar);
  }
  typename G::Point total{};
  if (!points.empty()) {
    std::vector<limb_t> scratch(G::scratch_bytes(points.size()) / sizeof(limb_t) + 1);
    const typename G::Affine *const point_list[] = {points.data(), nullptr};
    const byte *const scalar_list[] = {scalars[0].b, nullptr};
    G::sum_of_products(&total, point_list, points.size(), scalar_list, kScalarBits, scratch.data());
  }
  write<G>(total, output);
  return Status::kDone;
}

template <class G>
Status map(const uint8_t *input, uint8_t *output) {
  typename G::Coordinate number;
  if (!read(number, input)) return Status::kNotInField;
  typename G::Point point;
  G::map(&point, &number, nullptr);
  write<G>(point, output);
  return Status::kDone;
}

/** Returns kDone if the product of the pairings is 1, otherwise kFalse. */
inline Status is_one(const blst_p1_affine *p, const blst_p2_affine *q, size_t count) {
  if (count == 0) return Status::kDone;
  const blst_p1_affine *const ps[] = {p, nullptr};
  const blst_p2_affine *const qs[] = {q, nullptr};
  blst_fp12 product;
  blst_miller_loop_n(&product, qs, ps, count);
  blst_final_exp(&product, &product);
  return blst_fp12_is_one(&product) ? Status::kDone : Status::kFalse;
}

inline Status check(const uint8_t *input, size_t bytes) {
  std::vector<blst_p1_affine> ps;
  std::vector<blst_p2_affine> qs;
  const size_t pair = G1::kBytes + G2::kBytes;
  ps.reserve(bytes / pair);
  qs.reserve(bytes / pair);
  for (const uint8_t *at = input; at < input + bytes; at += pair) {
    blst_p1_affine p;
    blst_p2_affine q;
    Status status = read_member<G1>(p, at);
    if (status == Status::kDone) status = read_member<G2>(q, at + G1::kBytes);
    if (status != Status::kDone) return status;
    if (blst_p1_affine_is_inf(&p) || blst_p2_affine_is_inf(&q)) continue;
    ps.push_back(p);
    qs.push_back(q);
  }
  return is_one(ps.data(), qs.data(), ps.size());
}

// ---- KZG ----

/** Reads a scalar. Returns false if it is not below the group order. */
inline bool read(blst_scalar &scalar, const uint8_t *bytes) {
  blst_scalar_from_bendian(&scalar, bytes);
  return blst_scalar_fr_check(&scalar);
}

/** Reads a compressed point, which must be in the subgroup. */
inline bool read_compressed(blst_p1_affine &point, const uint8_t *bytes) {
  return blst_p1_uncompress(&point, bytes) == BLST_SUCCESS && blst_p1_affine_in_g1(&point);
}

/**
 * Verifies a KZG proof: returns kDone if p(z) = y for the committed polynomial p, which holds if e(C - [y]G1, -G2)
 * e(proof, [s]G2 - [z]G2) = 1. The input has z, y, commitment and proof, 160 bytes. `setup` is [s]G2, compressed.
 */
inline Status verify_proof(const uint8_t *input, const uint8_t *setup) {
  blst_scalar z, y;
  blst_p1_affine commitment, proof;
  if (!read(z, input) || !read(y, input + 32)) return Status::kNotInField;
  if (!read_compressed(commitment, input + 64) || !read_compressed(proof, input + 112)) return Status::kNotOnCurve;
  blst_p2_affine s;
  if (blst_p2_uncompress(&s, setup) != BLST_SUCCESS) return Status::kNotOnCurve;

  blst_p1 left;
  blst_p1_mult(&left, blst_p1_generator(), y.b, kScalarBits);
  blst_p1_cneg(&left, true);
  blst_p1_add_or_double_affine(&left, &left, &commitment);
  blst_p2 right;
  blst_p2_mult(&right, blst_p2_generator(), z.b, kScalarBits);
  blst_p2_cneg(&right, true);
  blst_p2_add_or_double_affine(&right, &right, &s);

  blst_p2 generator = *blst_p2_generator();
  blst_p2_cneg(&generator, true);
  blst_p1_affine ps[2];
  blst_p2_affine qs[2];
  size_t count = 0;
  if (!blst_p1_is_inf(&left)) {
    blst_p1_to_affine(&ps[0], &left);
    blst_p2_to_affine(&qs[0], &generator);
    count = 1;
  }
  if (!blst_p1_affine_is_inf(&proof) && !blst_p2_is_inf(&right)) {
    ps[count] = proof;
    blst_p2_to_affine(&qs[count++], &right);
  }
  return is_one(ps, qs, count);
}

}  // namespace prestate::bls12_381
