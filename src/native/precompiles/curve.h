// Arithmetic on points of short Weierstrass curves, y^2 = x^3 + a x + b with a = 0 or a = -3, in Jacobian coordinates.
#pragma once

#include "field.h"

namespace prestate {

/** A point in affine coordinates, which cannot represent infinity. */
template <class F>
struct Affine {
  F x, y;
};

/**
 * A point in Jacobian coordinates; for infinity, z is zero. The formulas are those of the Explicit-Formulas Database:
 * dbl-2009-l and dbl-2001-b, madd-2007-bl, add-2007-bl.
 */
template <class F, bool kMinusThree>
struct Point {
  F x, y, z;

  static Point infinity() { return Point{F::one(), F::one(), F()}; }

  static Point from(const Affine<F> &affine) { return Point{affine.x, affine.y, F::one()}; }

  bool is_infinity() const { return z.is_zero(); }

  Affine<F> affine() const {
    const F inverse = z.inverted(), square = inverse.square();
    return {x * square, y * square * inverse};
  }

  Point operator-() const { return {x, -y, z}; }

  Point twice() const {
    if constexpr (kMinusThree) {
      const F delta = z.square(), gamma = y.square(), beta = x * gamma;
      const F difference = (x - delta) * (x + delta), alpha = difference.twice() + difference;
      const F beta4 = beta.twice().twice();
      const F x3 = alpha.square() - beta4.twice();
      const F z3 = (y + z).square() - gamma - delta;
      return {x3, alpha * (beta4 - x3) - gamma.square().twice().twice().twice(), z3};
    } else {
      const F a = x.square(), b = y.square(), c = b.square();
      const F d = ((x + b).square() - a - c).twice(), e = a.twice() + a;
      const F x3 = e.square() - d.twice();
      return {x3, e * (d - x3) - c.twice().twice().twice(), (y * z).twice()};
    }
  }

  Point operator+(const Point &other) const {
    if (is_infinity()) return other;
    if (other.is_infinity()) return *this;
    const F z1z1 = z.square(), z2z2 = other.z.square();
    const F u1 = x * z2z2, u2 = other.x * z1z1;
    const F s1 = y * other.z * z2z2, s2 = other.y * z * z1z1;
    const F h = u2 - u1, half = s2 - s1;
    if (h.is_zero()) return half.is_zero() ? twice() : infinity();
    const F i = h.twice().square(), j = h * i, r = half.twice(), v = u1 * i;
    const F x3 = r.square() - j - v.twice();
    const F z3 = ((z + other.z).square() - z1z1 - z2z2) * h;
    return {x3, r * (v - x3) - (s1 * j).twice(), z3};
  }
};

/** Multiples of a point, from 0 to 15 times the point. */
template <class P>
struct Multiples {
  P times[16];

  explicit Multiples(const P &point) {
    times[0] = P::infinity();
    times[1] = point;
    for (int i = 2; i < 16; i++) times[i] = i % 2 ? times[i - 1] + point : times[i / 2].twice();
  }
};

/** Returns the sum of each point times its scalar. Each step processes four bits of all scalars. */
template <class P>
P multiply(const Multiples<P> *const points[], const Number factors[], int count) {
  P sum = P::infinity();
  for (int bit = 252; bit >= 0; bit -= 4) {
    if (!sum.is_infinity()) sum = sum.twice().twice().twice().twice();
    for (int i = 0; i < count; i++) {
      const unsigned nibble = factors[i].nibble(bit);
      if (nibble != 0) sum = sum + points[i]->times[nibble];
    }
  }
  return sum;
}

template <class P>
P multiply(const P &point, const Number &factor) {
  const Multiples<P> multiples(point);
  const Multiples<P> *const points[] = {&multiples};
  return multiply(points, &factor, 1);
}

}  // namespace prestate
