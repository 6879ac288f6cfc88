// Computes base^exponent modulo any integer, for integers of any length (EIP-198). It uses schoolbook multiplication,
// and Knuth's division with a precomputed reciprocal of the modulus (Moeller, Granlund: Improved division by invariant
// integers). So even moduli are no special case.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "field.h"

namespace prestate::modexp {

/** An integer: lowest limb first, without zero limbs at the top. */
using Limbs = std::vector<u64>;

inline Limbs read(const uint8_t *bytes, size_t length) {
  while (length > 0 && *bytes == 0) bytes++, length--;
  Limbs limbs((length + 7) / 8);
  for (size_t i = 0; i < length; i++) limbs[i / 8] |= u64(bytes[length - 1 - i]) << (i % 8 * 8);
  return limbs;
}

/** A modulus, prepared for dividing many numbers by it. */
class Modulus {
 public:
  /** `number` is the modulus, which must not be zero. */
  explicit Modulus(const Limbs &number)
      : size_(number.size()), shift_(__builtin_clzll(number.back())), divisor_(number) {
    shift_left(divisor_.data(), size_);
    top_ = divisor_.back();
    top_two_ = u128(top_) << 64 | (size_ > 1 ? divisor_[size_ - 2] : 0);
    reciprocal_ = reciprocal();
  }

  size_t size() const { return size_; }
  int shift() const { return shift_; }

  /**
   * Reduces `number` by the modulus. Both are shifted left by `shift` bits. The result is in the lowest `size` limbs.
   * The highest limb of `number` must be below the highest limb of the modulus, which holds if the number had a spare
   * limb before the shift.
   */
  void reduce(u64 *number, size_t limbs) const {
    for (size_t at = limbs - 1; at >= size_; at--) take(number + at - size_, size_);
  }

  /** Reduces a number of twice as many limbs as the modulus, if the number of limbs is known at compile time. */
  template <size_t kSize>
  void reduce(u64 *number) const {
    for (size_t at = kSize; at-- > 0;) take(number + at, kSize);
  }

  u64 shift_left(u64 *number, size_t limbs) const {
    if (shift_ == 0) return 0;
    u64 carry = 0;
    for (size_t i = 0; i < limbs; i++) {
      const u64 limb = number[i];
      number[i] = limb << shift_ | carry;
      carry = limb >> (64 - shift_);
    }
    return carry;
  }

  void shift_right(u64 *number) const {
    if (shift_ == 0) return;
    for (size_t i = 0; i < size_; i++) {
      number[i] = number[i] >> shift_ | (i + 1 < size_ ? number[i + 1] << (64 - shift_) : 0);
    }
  }

 private:
  /**
   * Computes one digit of the quotient, and reduces `part` by the divisor. `part` has `size` + 1 limbs, and is below
   * the divisor times 2^64.
   */
  inline void take(u64 *part, size_t size) const {
    if (size == 1) {
      part[0] = remainder(part[1], part[0]);
      return;
    }
    const u64 *divisor = divisor_.data();
    const u128 high = u128(part[size]) << 64 | part[size - 1];
    // The estimated digit is exact or, rarely, too high by 1.
    const u64 digit = high < top_two_ ? divide(high, part[size - 2]) : ~u64(0);
    u64 borrow = 0;
    for (size_t i = 0; i < size; i++) {
      const u128 product = u128(digit) * divisor[i] + borrow;
      const u64 low = u64(product);
      borrow = u64(product >> 64) + (part[i] < low);
      part[i] -= low;
    }
    const bool too_high = part[size] < borrow;
    part[size] -= borrow;
    if (too_high) put_back(part);
  }

  void put_back(u64 *part) const {
    do {
      u64 carry = 0;
      for (size_t i = 0; i < size_; i++) {
        const u128 limb = u128(part[i]) + divisor_[i] + carry;
        part[i] = u64(limb);
        carry = u64(limb >> 64);
      }
      part[size_] += carry;
    } while (part[size_] != 0);
  }

  /** Returns the remainder of two limbs divided by a one-limb divisor, which is above `high`. */
  u64 remainder(u64 high, u64 low) const {
    const u128 quotient = u128(high) * reciprocal_ + (u128(high + 1) << 64 | low);
    u64 rest = low - u64(quotient >> 64) * top_;
    if (rest > u64(quotient)) rest += top_;
    return rest >= top_ ? rest - top_ : rest;
  }

  /** Returns the quotient of three limbs divided by the top two limbs of the divisor, which are above `high`. */
  u64 divide(u128 high, u64 low) const {
    const u128 quotient = (high >> 64) * reciprocal_ + high;
    u64 digit = u64(quotient >> 64);
    const u64 middle = u64(high) - digit * top_;
    u128 rest = (u128(middle) << 64 | low) - u128(digit) * u64(top_two_) - top_two_;
    digit++;
    if (u64(rest >> 64) >= u64(quotient)) digit--, rest += top_two_;
    if (rest >= top_two_) digit++;
    return digit;
  }

  /**
   * Returns the reciprocal: floor((2^192 - 1) / top two limbs) - 2^64; for one limb, floor((2^128 - 1) / limb) - 2^64.
   */
  u64 reciprocal() const {
    u64 value = u64(~u128(0) / top_ - (u128(1) << 64));
    if (size_ == 1) return value;
    const u64 second = u64(top_two_);
    u64 product = top_ * value + second;
    if (product < second) {
      value--;
      if (product >= top_) value--, product -= top_;
      product -= top_;
    }
    const u128 low = u128(value) * second;
    product += u64(low >> 64);
    if (product < u64(low >> 64)) {
      value--;
      if ((u128(product) << 64 | u64(low)) >= top_two_) value--;
    }
    return value;
  }

  size_t size_;
  int shift_;
  Limbs divisor_;
  u64 top_;
  u128 top_two_;
  u64 reciprocal_;
};

/**
 * Computes powers modulo a modulus. All numbers are shifted left by as many bits as the modulus, whose top bit is then
 * set.
 */
class Powers {
 public:
  Powers(const Modulus &modulus, const Limbs &base) : modulus_(modulus), size_(modulus.size()), product_(2 * size_) {
    Limbs padded(std::max(base.size(), size_) + 1);
    std::copy(base.begin(), base.end(), padded.begin());
    powers_.push_back(one());
    powers_.push_back(reduced(padded));
  }

  /** Returns base^exponent. The first byte of the exponent must not be zero. */
  Limbs raise(const uint8_t *exponent, size_t bytes) {
    const int window = bytes > kLongBytes ? 4 : 1;
    for (int i = 2; i < 1 << window; i++) powers_.push_back(times(powers_[i - 1], powers_[1]));
    Limbs result = powers_[0];
    for (size_t i = 0; i < bytes; i++) {
      for (int bit = 8 - window; bit >= 0; bit -= window) {
        if (i > 0 || exponent[0] >> (bit + window)) {
          for (int j = 0; j < window; j++) multiply(result, result);
        }
        const unsigned digit = exponent[i] >> bit & ((1 << window) - 1);
        if (digit != 0) multiply(result, powers_[digit]);
      }
    }
    modulus_.shift_right(result.data());
    return result;
  }

 private:
  /** Exponents of more than this many bytes are processed four bits at a time; shorter ones bit by bit. */
  static constexpr size_t kLongBytes = 8;

  Limbs one() const {
    Limbs limbs(size_ + 1);
    limbs[0] = 1;
    return reduced(limbs);
  }

  /**
   * Returns the remainder of a number, shifted left like the modulus. The shift needs a spare highest limb in the
   * number.
   */
  Limbs reduced(Limbs number) const {
    modulus_.shift_left(number.data(), number.size());
    modulus_.reduce(number.data(), number.size());
    number.resize(size_);
    return number;
  }

  Limbs times(const Limbs &a, const Limbs &b) {
    Limbs product = a;
    multiply(product, b);
    return product;
  }

  /** Computes a *= b. For small numbers of limbs, known at compile time, the loops take half the time. */
  void multiply(Limbs &a, const Limbs &b) {
    switch (size_) {
      case 1: return multiply<1>(a.data(), b.data());
      case 2: return multiply<2>(a.data(), b.data());
      case 3: return multiply<3>(a.data(), b.data());
      case 4: return multiply<4>(a.data(), b.data());
    }
    multiply(product_.data(), a.data(), b.data(), size_);
    modulus_.reduce(product_.data(), 2 * size_);
    std::memcpy(a.data(), product_.data(), size_ * sizeof(u64));
  }

  template <size_t kSize>
  void multiply(u64 *a, const u64 *b) const {
    u64 product[2 * kSize];
    multiply(product, a, b, kSize);
    modulus_.template reduce<kSize>(product);
    std::memcpy(a, product, kSize * sizeof(u64));
  }

  /** Writes the product of two shifted numbers. It must be shifted only once, so one of them is shifted back first. */
  inline void multiply(u64 *product, const u64 *a, const u64 *b, size_t size) const {
    const int shift = modulus_.shift();
    std::memset(product, 0, size * sizeof(u64));
    for (size_t i = 0; i < size; i++) {
      const u64 factor = shift == 0 ? a[i] : a[i] >> shift | (i + 1 < size ? a[i + 1] << (64 - shift) : 0);
      u64 carry = 0;
      for (size_t j = 0; j < size; j++) {
        const u128 sum = u128(factor) * b[j] + product[i + j] + carry;
        product[i + j] = u64(sum);
        carry = u64(sum >> 64);
      }
      product[i + size] = carry;
    }
  }

  const Modulus &modulus_;
  const size_t size_;
  Limbs product_;
  std::vector<Limbs> powers_;
};

/** Writes base^exponent modulo `modulus`, in as many bytes as the modulus has; zero if the modulus is zero. */
inline void power(const uint8_t *base, size_t base_bytes, const uint8_t *exponent, size_t exponent_bytes,
                  const uint8_t *modulus, uint8_t *output, size_t modulus_bytes) {
  std::fill_n(output, modulus_bytes, uint8_t(0));
  const Limbs number = read(modulus, modulus_bytes);
  if (number.empty()) return;
  while (exponent_bytes > 0 && *exponent == 0) exponent++, exponent_bytes--;
  const Modulus divisor(number);
  const Limbs result = Powers(divisor, read(base, base_bytes)).raise(exponent, exponent_bytes);
  for (size_t i = 0; i < modulus_bytes && i < 8 * result.size(); i++) {
    output[modulus_bytes - 1 - i] = uint8_t(result[i / 8] >> (i % 8 * 8));
  }
}

}  // namespace prestate::modexp
