// Arithmetic in prime fields of up to 256 bits, in Montgomery form. The functions are not constant-time, because all
// inputs are public.
#pragma once

#include <cstdint>
#include <cstring>

namespace prestate {

using u64 = uint64_t;
using u128 = unsigned __int128;

constexpr int kLimbs = 4;

/** An integer below 2^256, lowest limb first. */
struct Number {
  u64 limb[kLimbs];

  static Number read(const uint8_t *bytes) {
    Number number;
    for (int i = 0; i < kLimbs; i++) {
      u64 limb = 0;
      for (int j = 0; j < 8; j++) limb = limb << 8 | bytes[(kLimbs - 1 - i) * 8 + j];
      number.limb[i] = limb;
    }
    return number;
  }

  void write(uint8_t *bytes) const {
    for (int i = 0; i < 32; i++) bytes[31 - i] = uint8_t(limb[i / 8] >> (i % 8 * 8));
  }

  bool is_zero() const { return (limb[0] | limb[1] | limb[2] | limb[3]) == 0; }

  bool bit(int index) const { return (limb[index / 64] >> (index % 64)) & 1; }

  /** Returns the four bits from bit `index` on, where `index` is a multiple of 4. */
  unsigned nibble(int index) const { return unsigned(limb[index / 64] >> (index % 64)) & 15; }
};

inline bool operator==(const Number &a, const Number &b) { return std::memcmp(&a, &b, sizeof a) == 0; }

inline bool operator<(const Number &a, const Number &b) {
  for (int i = kLimbs - 1; i >= 0; i--) {
    if (a.limb[i] != b.limb[i]) return a.limb[i] < b.limb[i];
  }
  return false;
}

/** Writes a + b to `sum`; returns the carry. */
inline u64 add(Number &sum, const Number &a, const Number &b) {
  u64 carry = 0;
  for (int i = 0; i < kLimbs; i++) {
    const u128 limb = u128(a.limb[i]) + b.limb[i] + carry;
    sum.limb[i] = u64(limb);
    carry = u64(limb >> 64);
  }
  return carry;
}

/** Writes a - b to `difference`; returns the borrow. */
inline u64 subtract(Number &difference, const Number &a, const Number &b) {
  u64 borrow = 0;
  for (int i = 0; i < kLimbs; i++) {
    const u128 limb = u128(a.limb[i]) - b.limb[i] - borrow;
    difference.limb[i] = u64(limb);
    borrow = u64(limb >> 64) & 1;
  }
  return borrow;
}

/** Returns 1 / n modulo 2^64, for an odd n. */
constexpr u64 inverse_of_limb(u64 n) {
  u64 inverse = n;
  for (int i = 0; i < 6; i++) inverse *= 2 - n * inverse;
  return inverse;
}

Number inverse(const Number &value, const Number &modulus);

/** An element of the field whose modulus is `Params::kModulus`, an odd prime above 2^192. */
template <class Params>
class Field {
 public:
  static constexpr Number kModulus = Params::kModulus;

  Field() : value_{} {}

  static Field one() { return from(Number{{1}}); }

  /** Converts any number to an element; the number is reduced. */
  static Field from(const Number &number) { return Field(number) * Field(squared_radix()); }

  /** Reads an element from 32 big-endian bytes; returns false if the number is not below the modulus. */
  static bool read(Field &element, const uint8_t *bytes) {
    const Number number = Number::read(bytes);
    element = from(number);
    return number < kModulus;
  }

  Number number() const { return (*this * Field(Number{{1}})).value_; }

  bool is_zero() const { return value_.is_zero(); }

  Field operator+(const Field &other) const {
    Field sum;
    const u64 carry = add(sum.value_, value_, other.value_);
    sum.reduce(carry);
    return sum;
  }

  Field operator-(const Field &other) const {
    Field difference;
    if (subtract(difference.value_, value_, other.value_)) add(difference.value_, difference.value_, kModulus);
    return difference;
  }

  Field operator-() const { return Field() - *this; }

  Field operator*(const Field &other) const {
    u64 t[kLimbs] = {}, high = 0;
#pragma GCC unroll 4
    for (int i = 0; i < kLimbs; i++) {
      u128 sum = 0;
#pragma GCC unroll 4
      for (int j = 0; j < kLimbs; j++) {
        sum += u128(value_.limb[j]) * other.value_.limb[i] + t[j];
        t[j] = u64(sum);
        sum >>= 64;
      }
      sum += high;
      const u64 next = u64(sum), carry = u64(sum >> 64);
      const u64 factor = t[0] * kNegatedInverse;
      sum = (u128(factor) * kModulus.limb[0] + t[0]) >> 64;
#pragma GCC unroll 4
      for (int j = 1; j < kLimbs; j++) {
        sum += u128(factor) * kModulus.limb[j] + t[j];
        t[j - 1] = u64(sum);
        sum >>= 64;
      }
      sum += next;
      t[kLimbs - 1] = u64(sum);
      high = carry + u64(sum >> 64);
    }
    Field product;
    std::memcpy(product.value_.limb, t, sizeof t);
    product.reduce(high);
    return product;
  }

  Field square() const { return *this * *this; }

  Field twice() const { return *this + *this; }

  /** Returns the inverse, 1 / this; zero for zero. */
  Field inverted() const { return from(inverse(number(), kModulus)); }

  bool operator==(const Field &other) const { return value_ == other.value_; }
  bool operator!=(const Field &other) const { return !(value_ == other.value_); }

 private:
  static constexpr u64 kNegatedInverse = 0 - inverse_of_limb(Params::kModulus.limb[0]);

  explicit Field(const Number &value) : value_(value) {}

  /** Returns 2^512 reduced by the modulus, the factor that converts a number to Montgomery form. */
  static const Number &squared_radix() {
    static const Number radix = [] {
      Field power(Number{{1}});
      for (int i = 0; i < 512; i++) power = power.twice();
      return power.value_;
    }();
    return radix;
  }

  /** Subtracts the modulus once, if `carry` is set or the value is not below the modulus. */
  void reduce(u64 carry) {
    Number reduced;
    const u64 borrow = subtract(reduced, value_, kModulus);
    if (carry || !borrow) value_ = reduced;
  }

  Number value_;
};

// ---- inversion ----

/** A signed integer of five limbs in two's complement. */
struct Wide {
  u64 limb[kLimbs + 1];
};

/** Returns x * f + y * g, for factors of 32 bits. */
inline Wide combine(const Number &x, int64_t f, const Number &y, int64_t g) {
  Wide sum;
  __int128 carry = 0;
  for (int i = 0; i < kLimbs; i++) {
    carry += __int128(x.limb[i]) * f + __int128(y.limb[i]) * g;
    sum.limb[i] = u64(carry);
    carry >>= 64;
  }
  sum.limb[kLimbs] = u64(carry);
  return sum;
}

constexpr int kSteps = 31;

inline Number shifted(const Wide &wide) {
  Number number;
  for (int i = 0; i < kLimbs; i++) number.limb[i] = wide.limb[i] >> kSteps | wide.limb[i + 1] << (64 - kSteps);
  return number;
}

inline bool is_negative(const Wide &wide) { return int64_t(wide.limb[kLimbs]) < 0; }

inline void negate(Wide &wide) {
  u64 carry = 1;
  for (u64 &limb : wide.limb) {
    limb = ~limb + carry;
    carry = carry && limb == 0;
  }
}

/** Returns (x * f + y * g) / 2^31 modulo m, for numbers below m. */
inline Number combine_modulo(const Number &x, int64_t f, const Number &y, int64_t g, const Number &m,
    u64 negated_inverse) {
  Wide sum = combine(x, f, y, g);
  const u64 factor = (sum.limb[0] * negated_inverse) & ((u64(1) << kSteps) - 1);
  u128 carry = 0;
  for (int i = 0; i < kLimbs; i++) {
    carry += u128(m.limb[i]) * factor + sum.limb[i];
    sum.limb[i] = u64(carry);
    carry >>= 64;
  }
  sum.limb[kLimbs] += u64(carry);
  // The sum is between -m and 2 m.
  const bool negative = is_negative(sum);
  Number result = shifted(sum), reduced;
  const u64 top = negative ? 0 : sum.limb[kLimbs] >> kSteps;
  if (negative) add(result, result, m);
  else if (!subtract(reduced, result, m) || top) result = reduced;
  return result;
}

/** Returns the bit length of the larger number; 0 if both are zero. */
inline int bit_length(const Number &a, const Number &b) {
  for (int i = kLimbs - 1; i >= 0; i--) {
    if (a.limb[i] | b.limb[i]) return 64 * i + 64 - __builtin_clzll(a.limb[i] | b.limb[i]);
  }
  return 0;
}

/**
 * Approximates a number of `bits` bits in 64 bits: its highest 33 bits, followed by its lowest 31. A number of at most
 * 64 bits stays the same.
 */
inline u64 approximate(const Number &number, int bits) {
  if (bits <= 64) return number.limb[0];
  const int at = bits - 33;
  u64 high = number.limb[at / 64] >> (at % 64);
  if (at % 64 > 31 && at / 64 + 1 < kLimbs) high |= number.limb[at / 64 + 1] << (64 - at % 64);
  return high << kSteps | (number.limb[0] & ((u64(1) << kSteps) - 1));
}

/**
 * Returns 1 / value modulo an odd modulus; zero for zero. Uses Pornin's binary GCD (IACR ePrint 2020/972), which does
 * 31 steps at once on 64-bit approximations. It takes about 2 us; raising to the power of modulus - 2 would take 7 us.
 */
inline Number inverse(const Number &value, const Number &modulus) {
  const u64 negated_inverse = 0 - inverse_of_limb(modulus.limb[0]);
  Number a = value, b = modulus, u{{1}}, v{};
  while (!a.is_zero()) {
    const int bits = bit_length(a, b);
    u64 xa = approximate(a, bits), xb = approximate(b, bits);
    int64_t f0 = 1, g0 = 0, f1 = 0, g1 = 1;
    for (int i = 0; i < kSteps; i++) {
      // No branches here, because the processor would mispredict every other one.
      const u64 odd = 0 - (xa & 1), swap = odd & (0 - u64(xa < xb));
      u64 change = (xa ^ xb) & swap;
      xa ^= change, xb ^= change;
      change = u64(f0 ^ f1) & swap;
      f0 ^= int64_t(change), f1 ^= int64_t(change);
      change = u64(g0 ^ g1) & swap;
      g0 ^= int64_t(change), g1 ^= int64_t(change);
      xa -= xb & odd;
      f0 -= int64_t(u64(f1) & odd);
      g0 -= int64_t(u64(g1) & odd);
      xa >>= 1;
      f1 *= 2;
      g1 *= 2;
    }
    Wide next_a = combine(a, f0, b, g0), next_b = combine(a, f1, b, g1);
    if (is_negative(next_a)) negate(next_a), f0 = -f0, g0 = -g0;
    if (is_negative(next_b)) negate(next_b), f1 = -f1, g1 = -g1;
    a = shifted(next_a);
    b = shifted(next_b);
    const Number next_u = combine_modulo(u, f0, v, g0, modulus, negated_inverse);
    v = combine_modulo(u, f1, v, g1, modulus, negated_inverse);
    u = next_u;
  }
  return v;
}

}  // namespace prestate
