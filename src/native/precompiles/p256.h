// Signature verification on the curve secp256r1 (P256VERIFY: EIP-7951, RIP-7212).
#pragma once

#include "curve.h"

namespace prestate::p256 {

struct P {
  static constexpr Number kModulus{{0xffffffffffffffff, 0x00000000ffffffff, 0, 0xffffffff00000001}};
};
struct N {
  static constexpr Number kModulus{{0xf3b9cac2fc632551, 0xbce6faada7179e84, 0xffffffffffffffff, 0xffffffff00000000}};
};
using Fp = Field<P>;
using Fn = Field<N>;
using G = Point<Fp, true>;

struct Curve {
  const Fp b = Fp::from({{0x3bce3c3e27d2604b, 0x651d06b0cc53b0f6, 0xb3ebbd55769886bc, 0x5ac635d8aa3a93e7}});
  const Multiples<G> generator{G::from({
      Fp::from({{0xf4a13945d898c296, 0x77037d812deb33a0, 0xf8bce6e563a440f2, 0x6b17d1f2e12c4247}}),
      Fp::from({{0xcbb6406837bf51f5, 0x2bce33576b315ece, 0x8ee7eb4a7c0f9e16, 0x4fe342e2fe1a7f9b}}),
  })};

  static const Curve &get() {
    static const Curve curve;
    return curve;
  }
};

/** True if these 160 bytes (hash, r, s, x, y) contain a valid signature. */
inline bool verify(const uint8_t *input) {
  const Curve &curve = Curve::get();
  const Number hash = Number::read(input), r = Number::read(input + 32), s = Number::read(input + 64);
  if (r.is_zero() || s.is_zero() || !(r < Fn::kModulus) || !(s < Fn::kModulus)) return false;
  Affine<Fp> key;
  if (!Fp::read(key.x, input + 96) || !Fp::read(key.y, input + 128)) return false;
  const Fp x3 = key.x.square() * key.x - key.x.twice() - key.x;
  if (key.y.square() != x3 + curve.b) return false;
  const Fn w = Fn::from(s).inverted();
  const Number factors[] = {(Fn::from(hash) * w).number(), (Fn::from(r) * w).number()};
  const Multiples<G> multiples(G::from(key));
  const Multiples<G> *const points[] = {&curve.generator, &multiples};
  const G point = multiply(points, factors, 2);
  return !point.is_infinity() && Fn::from(point.affine().x.number()) == Fn::from(r);
}

}  // namespace prestate::p256
