// The curve alt_bn128 (bn254) and its optimal ate pairing (EIP-196, EIP-197).
//
// Tower of fields: Fp2 = Fp[u] / (u^2 + 1), Fp6 = Fp2[v] / (v^3 - xi), Fp12 = Fp6[w] / (w^2 - v), xi = 9 + u.
#pragma once

#include <vector>

#include "curve.h"
#include "status.h"

namespace prestate::bn254 {

struct P {
  static constexpr Number kModulus{{0x3c208c16d87cfd47, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029}};
};
/** Order of the groups G1 and G2. */
constexpr Number kOrder{{0x43e1f593f0000001, 0x2833e84879b97091, 0xb85045b68181585d, 0x30644e72e131a029}};
/** The constant (p - 1) / 6, where p is the field's modulus. */
constexpr Number kSixth{{0x34b017592414d4e1, 0xee9591c2e6bda1c2, 0xf40d60f3c0403964, 0x0810b7bdd032f006}};
/** The curve's parameter x; the other constants of the curve are polynomials in x. */
constexpr u64 kX = 0x44e992b44a6909f1;
/** The number 6 x + 2 in signed digits (1, 0, -1), highest digit first; the highest digit itself is left out. */
constexpr int8_t kLoop[] = {0, -1, 0, 1, 0, 0, 0, -1, 0, -1, 0, 0, 0, -1, 0, 1, 0, -1, 0, 0, -1, 0, 0, 0, 0, 0,
                            1, 0, 0, -1, 0, 1, 0, 0, -1, 0, 0, 0, 0, -1, 0, 1, 0, 0, 0, -1, 0, -1, 0, 0, 1, 0,
                            0, 0, -1, 0, 0, -1, 0, 1, 0, 1, 0, 0, 0};

using Fp = Field<P>;

struct Fp2 {
  Fp a, b;

  static Fp2 one() { return {Fp::one(), Fp()}; }
  bool is_zero() const { return a.is_zero() && b.is_zero(); }
  bool operator==(const Fp2 &o) const { return a == o.a && b == o.b; }
  bool operator!=(const Fp2 &o) const { return !(*this == o); }
  Fp2 operator+(const Fp2 &o) const { return {a + o.a, b + o.b}; }
  Fp2 operator-(const Fp2 &o) const { return {a - o.a, b - o.b}; }
  Fp2 operator-() const { return {-a, -b}; }
  Fp2 operator*(const Fp2 &o) const {
    const Fp aa = a * o.a, bb = b * o.b;
    return {aa - bb, (a + b) * (o.a + o.b) - aa - bb};
  }
  Fp2 operator*(const Fp &factor) const { return {a * factor, b * factor}; }
  Fp2 square() const { return {(a + b) * (a - b), (a * b).twice()}; }
  Fp2 twice() const { return {a.twice(), b.twice()}; }
  Fp2 conjugate() const { return {a, -b}; }
  Fp2 inverted() const {
    const Fp norm = (a.square() + b.square()).inverted();
    return {a * norm, -(b * norm)};
  }
  /** Returns this element multiplied by xi. */
  Fp2 shifted() const {
    const Fp2 eight = twice().twice().twice();
    return {eight.a + a - b, eight.b + b + a};
  }
};

struct Fp6 {
  Fp2 a, b, c;

  static Fp6 one() { return {Fp2::one(), {}, {}}; }
  bool operator==(const Fp6 &o) const { return a == o.a && b == o.b && c == o.c; }
  Fp6 operator+(const Fp6 &o) const { return {a + o.a, b + o.b, c + o.c}; }
  Fp6 operator-(const Fp6 &o) const { return {a - o.a, b - o.b, c - o.c}; }
  Fp6 operator-() const { return {-a, -b, -c}; }
  Fp6 operator*(const Fp6 &o) const {
    const Fp2 aa = a * o.a, bb = b * o.b, cc = c * o.c;
    return {aa + ((b + c) * (o.b + o.c) - bb - cc).shifted(), (a + b) * (o.a + o.b) - aa - bb + cc.shifted(),
            (a + c) * (o.a + o.c) - aa - cc + bb};
  }
  Fp6 operator*(const Fp2 &factor) const { return {a * factor, b * factor, c * factor}; }
  /** Returns this element multiplied by x + y v. */
  Fp6 times(const Fp2 &x, const Fp2 &y) const {
    const Fp2 ax = a * x, by = b * y;
    return {ax + (c * y).shifted(), (a + b) * (x + y) - ax - by, c * x + by};
  }
  /** Returns this element multiplied by v. */
  Fp6 shifted() const { return {c.shifted(), a, b}; }
  Fp6 inverted() const {
    const Fp2 x = a.square() - (b * c).shifted(), y = c.square().shifted() - a * b, z = b.square() - a * c;
    const Fp2 norm = (a * x + ((c * y + b * z).shifted())).inverted();
    return Fp6{x, y, z} * norm;
  }
};

/** Coefficients of a line through points of the twist. The line is evaluated at a point of G1. */
struct Line {
  Fp2 y, x, one;
};

struct Fp12 {
  Fp6 a, b;

  static Fp12 one() { return {Fp6::one(), {}}; }
  bool operator==(const Fp12 &o) const { return a == o.a && b == o.b; }
  Fp12 operator*(const Fp12 &o) const {
    const Fp6 aa = a * o.a, bb = b * o.b;
    return {aa + bb.shifted(), (a + b) * (o.a + o.b) - aa - bb};
  }
  Fp12 square() const {
    const Fp6 ab = a * b;
    return {(a + b) * (a + b.shifted()) - ab - ab.shifted(), ab + ab};
  }
  Fp12 conjugate() const { return {a, -b}; }
  Fp12 inverted() const {
    const Fp6 norm = (a * a - (b * b).shifted()).inverted();
    return {a * norm, -(b * norm)};
  }
  /** Returns this element multiplied by the value of a line at a point: y + (x + one v) w. */
  Fp12 times(const Line &line, const Affine<Fp> &point) const {
    const Fp2 y = line.y * point.y, x = line.x * point.x;
    const Fp6 ay = a * y, bx = b.times(x, line.one);
    return {ay + bx.shifted(), (a + b).times(y + x, line.one) - ay - bx};
  }
};

using G1 = Point<Fp, false>;
using G2 = Point<Fp2, false>;

struct Curve {
  const Fp b = Fp::from({{3}});
  const Fp half = Fp::from({{2}}).inverted();
  /** The coefficient b of the twist's equation: 3 / xi. */
  const Fp2 twisted_b = Fp2{Fp::from({{9}}), Fp::one()}.inverted() * b;
  /** Powers 0 to 5 of xi^((p - 1) / 6). The Frobenius map multiplies the coefficient of w^i by the i-th power. */
  Fp2 frobenius[6] = {Fp2::one()};

  Curve() {
    Fp2 power = Fp2::one();
    for (int bit = 255; bit >= 0; bit--) {
      power = power.square();
      if (kSixth.bit(bit)) power = power.shifted();
    }
    for (int i = 1; i < 6; i++) frobenius[i] = frobenius[i - 1] * power;
  }

  static const Curve &get() {
    static const Curve curve;
    return curve;
  }
};

/** The Frobenius map of Fp12: returns f^p. */
inline Fp12 frobenius(const Fp12 &f) {
  const Fp2 *power = Curve::get().frobenius;
  return {{f.a.a.conjugate(), f.a.b.conjugate() * power[2], f.a.c.conjugate() * power[4]},
          {f.b.a.conjugate() * power[1], f.b.b.conjugate() * power[3], f.b.c.conjugate() * power[5]}};
}

// ---- Miller's loop: Costello, Lange, Naehrig (IACR ePrint 2009/615), homogeneous coordinates ----

/** Doubles a point of Miller's loop; returns the tangent. */
inline Line double_step(G2 &t) {
  const Curve &curve = Curve::get();
  const Fp2 a = t.x * t.y * curve.half, b = t.y.square(), c = t.z.square();
  const Fp2 e = curve.twisted_b * (c.twice() + c), f = e.twice() + e;
  const Fp2 g = (b + f) * curve.half, h = (t.y + t.z).square() - b - c, j = t.x.square(), e2 = e.square();
  const Fp2 i = e - b;
  t = {a * (b - f), g.square() - e2.twice() - e2, b * h};
  return {-h, j.twice() + j, i};
}

/** Adds a point in Miller's loop; returns the line through both points. */
inline Line add_step(G2 &t, const Affine<Fp2> &q) {
  const Fp2 theta = t.y - q.y * t.z, lambda = t.x - q.x * t.z;
  const Fp2 c = theta.square(), d = lambda.square(), e = lambda * d, f = t.z * c, g = t.x * d;
  const Fp2 h = e + f - g.twice();
  t = {lambda * h, theta * (g - h) - e * t.y, t.z * e};
  return {lambda, -theta, theta * q.x - lambda * q.y};
}

struct Pair {
  Affine<Fp> p;
  Affine<Fp2> q;
};

/** The curve's Frobenius map, transferred to the twist. */
inline Affine<Fp2> frobenius(const Affine<Fp2> &q) {
  const Fp2 *power = Curve::get().frobenius;
  return {q.x.conjugate() * power[2], q.y.conjugate() * power[3]};
}

inline Fp12 miller_loop(const std::vector<Pair> &pairs) {
  std::vector<G2> points;
  points.reserve(pairs.size());
  for (const Pair &pair : pairs) points.push_back(G2::from(pair.q));
  Fp12 f = Fp12::one();
  for (const int8_t digit : kLoop) {
    f = f.square();
    for (size_t i = 0; i < pairs.size(); i++) {
      f = f.times(double_step(points[i]), pairs[i].p);
      if (digit == 0) continue;
      const Affine<Fp2> &q = pairs[i].q;
      f = f.times(add_step(points[i], {q.x, digit > 0 ? q.y : -q.y}), pairs[i].p);
    }
  }
  for (size_t i = 0; i < pairs.size(); i++) {
    const Affine<Fp2> q1 = frobenius(pairs[i].q), q2 = frobenius(q1);
    f = f.times(add_step(points[i], q1), pairs[i].p);
    f = f.times(add_step(points[i], {q2.x, -q2.y}), pairs[i].p);
  }
  return f;
}

/** Returns 1 / f^x. The inverse of f is its conjugate. */
inline Fp12 power_of_minus_x(const Fp12 &f) {
  Fp12 power = f;
  for (int bit = 61; bit >= 0; bit--) {
    power = power.square();
    if (kX >> bit & 1) power = power * f;
  }
  return power.conjugate();
}

/**
 * Returns a power of f^((p^12 - 1) / r) that is 1 if and only if f^((p^12 - 1) / r) is 1 (Fuentes-Castaneda, Knapp,
 * Rodriguez-Henriquez).
 */
inline Fp12 final_exponentiation(const Fp12 &f) {
  const Fp12 easy = f.conjugate() * f.inverted();
  const Fp12 r = frobenius(frobenius(easy)) * easy;
  const Fp12 y0 = power_of_minus_x(r), y1 = y0.square(), y3 = y1.square() * y1;
  const Fp12 y4 = power_of_minus_x(y3), y6 = power_of_minus_x(y4.square()).conjugate();
  const Fp12 y8 = y6 * y4 * y3.conjugate(), y9 = y8 * y1;
  const Fp12 y11 = y8 * y4 * r;
  const Fp12 y14 = frobenius(frobenius(y8)) * (frobenius(y9) * y11);
  return frobenius(frobenius(frobenius(r.conjugate() * y9))) * y14;
}

// ---- precompiles ----

inline bool is_zero(const uint8_t *bytes, int count) {
  for (int i = 0; i < count; i++) {
    if (bytes[i] != 0) return false;
  }
  return true;
}

/**
 * Reads a point of G1 from 64 bytes; returns false if it is not on the curve. The caller has handled infinity, whose
 * bytes are all zero.
 */
inline bool read(Affine<Fp> &point, const uint8_t *bytes) {
  if (!Fp::read(point.x, bytes) || !Fp::read(point.y, bytes + 32)) return false;
  return point.y.square() == point.x.square() * point.x + Curve::get().b;
}

inline Status read(G1 &point, const uint8_t *bytes) {
  Affine<Fp> affine;
  if (is_zero(bytes, 64)) point = G1::infinity();
  else if (read(affine, bytes)) point = G1::from(affine);
  else return Status::kNotOnCurve;
  return Status::kDone;
}

/**
 * Reads a point of G2 from 128 bytes, imaginary parts first. The caller has handled infinity, whose bytes are all zero.
 */
inline Status read(Affine<Fp2> &point, const uint8_t *bytes) {
  if (!Fp::read(point.x.b, bytes) || !Fp::read(point.x.a, bytes + 32)) return Status::kNotInField;
  if (!Fp::read(point.y.b, bytes + 64) || !Fp::read(point.y.a, bytes + 96)) return Status::kNotInField;
  if (point.y.square() != point.x.square() * point.x + Curve::get().twisted_b) return Status::kNotOnCurve;
  return multiply(G2::from(point), kOrder).is_infinity() ? Status::kDone : Status::kNotOnCurve;
}

/** Writes a point of G1 as 64 bytes. */
inline void write(const G1 &point, uint8_t *output) {
  const Affine<Fp> affine = point.affine();
  affine.x.number().write(output);
  affine.y.number().write(output + 32);
}

/** ECADD: adds the two points in 128 bytes of input. */
inline Status sum(const uint8_t *input, uint8_t *output) {
  G1 a, b;
  const Status status = read(a, input);
  if (status != Status::kDone) return status;
  if (read(b, input + 64) != Status::kDone) return Status::kNotOnCurve;
  write(a + b, output);
  return Status::kDone;
}

/** ECMUL: multiplies the point in the first 64 bytes of input by the scalar in the next 32. */
inline Status product(const uint8_t *input, uint8_t *output) {
  G1 point;
  const Status status = read(point, input);
  if (status != Status::kDone) return status;
  write(multiply(point, Number::read(input + 64)), output);
  return Status::kDone;
}

/** ECPAIRING: returns kDone if the product of the pairings is 1, otherwise kFalse. `bytes` is a multiple of 192. */
inline Status check(const uint8_t *input, size_t bytes) {
  std::vector<Pair> pairs;
  pairs.reserve(bytes / 192);
  for (const uint8_t *at = input; at < input + bytes; at += 192) {
    Pair pair;
    const bool no_p = is_zero(at, 64), no_q = is_zero(at + 64, 128);
    if (!no_p && !read(pair.p, at)) return Status::kNotOnCurve;
    if (no_q) continue;
    const Status status = read(pair.q, at + 64);
    if (status != Status::kDone) return status;
    if (!no_p) pairs.push_back(pair);
  }
  return final_exponentiation(miller_loop(pairs)) == Fp12::one() ? Status::kDone : Status::kFalse;
}

}  // namespace prestate::bn254
