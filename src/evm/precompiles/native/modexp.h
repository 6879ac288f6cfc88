// Powers of integers of any length modulo any integer (EIP-198): schoolbook products and Knuth's division by a modulus
// whose reciprocal is known, so that even moduli need no way of their own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "field.h"

namespace prestate::modexp {

/** Least limb first, without zeros at the top. */
using Limbs = std::vector<u64>;

inline Limbs read(const uint8_t *bytes, size_t length) {
  while (length > 0 && *bytes == 0) bytes++, length--;
  Limbs limbs((length + 7) / 8);
  for (size_t i = 0; i < length; i++) limbs[i / 8] |= u64(bytes[length - 1 - i]) << (i % 8 * 8);
  return limbs;
}

/** Divides by one number many times. */
class Modulus {
 public:
  /** `number` is not zero. */
  explicit Modulus(const Limbs &number) : size_(number.size()), shift_(__builtin_clzll(number.back())), divisor_(number) {
    shift_left(divisor_.data(), size_);
    top_ = divisor_.back();
    reciprocal_ = u64(~u128(0) / top_ - (u128(1) << 64));
  }

  size_t size() const { return size_; }
  int shift() const { return shift_; }

  /**
   * Leaves `number`, shifted to the left by `shift`, modulo the shifted modulus, in its lowest `size` limbs; its highest limb
   * is below the modulus's, as it is after such a shift of what has a limb to spare.
   */
  void reduce(u64 *number, size_t limbs) const {
    for (size_t at = limbs - 1; at >= size_; at--) take(number + at - size_);
  }

  /** Of a modulus of one limb: a number below it times 2^64, modulo it. */
  u64 remainder(u128 number) const {
    u64 rest;
    divide(rest, u64(number >> 64), u64(number));
    return rest;
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
  /** One digit of a quotient: `part`, of `size` + 1 limbs and below the divisor times 2^64, modulo the divisor. */
  void take(u64 *part) const {
    u64 rest = 0, digit = part[size_] >= top_ ? ~u64(0) : divide(rest, part[size_], part[size_ - 1]);
    // At most 2 too high; with the second limb seldom 1.
    if (size_ > 1 && part[size_] < top_) {
      while (u128(digit) * divisor_[size_ - 2] > (u128(rest) << 64 | part[size_ - 2])) {
        digit--;
        rest += top_;
        if (rest < top_) break;
      }
    }
    u64 borrow = 0;
    for (size_t i = 0; i < size_; i++) {
      const u128 product = u128(digit) * divisor_[i] + borrow;
      const u64 low = u64(product);
      borrow = u64(product >> 64) + (part[i] < low);
      part[i] -= low;
    }
    const bool too_high = part[size_] < borrow;
    part[size_] -= borrow;
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

  /** Two limbs by the top one, which is more than `high` (Moeller, Granlund: Improved division by invariant integers). */
  u64 divide(u64 &rest, u64 high, u64 low) const {
    const u128 quotient = u128(high) * reciprocal_ + (u128(high + 1) << 64 | low);
    u64 digit = u64(quotient >> 64);
    rest = low - digit * top_;
    if (rest > u64(quotient)) digit--, rest += top_;
    if (rest >= top_) digit++, rest -= top_;
    return digit;
  }

  size_t size_;
  int shift_;
  Limbs divisor_;
  u64 top_, reciprocal_;
};

/** Numbers below a modulus, all shifted as it is. */
class Powers {
 public:
  Powers(const Modulus &modulus, const Limbs &base) : modulus_(modulus), size_(modulus.size()), product_(2 * size_ + 1) {
    Limbs padded(std::max(base.size(), size_) + 1);
    std::memcpy(padded.data(), base.data(), base.size() * sizeof(u64));
    powers_.push_back(one());
    powers_.push_back(reduced(padded));
  }

  /** base^exponent, of bytes of which the first is not zero. */
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
  /** From so many bytes on four bits of an exponent are taken at once. */
  static constexpr size_t kLongBytes = 8;

  Limbs one() const {
    Limbs limbs(size_ + 1);
    limbs[0] = 1;
    return reduced(limbs);
  }

  /** A number with a limb to spare, shifted, modulo the modulus. */
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

  /** a *= b. Both are shifted, so one of them is shifted back. */
  void multiply(Limbs &a, const Limbs &b) {
    if (size_ == 1) {
      a[0] = modulus_.remainder(u128(a[0] >> modulus_.shift()) * b[0]);
      return;
    }
    std::fill(product_.begin(), product_.end(), 0);
    const int shift = modulus_.shift();
    for (size_t i = 0; i < size_; i++) {
      const u64 factor = shift == 0 ? a[i] : a[i] >> shift | (i + 1 < size_ ? a[i + 1] << (64 - shift) : 0);
      u64 carry = 0;
      for (size_t j = 0; j < size_; j++) {
        const u128 sum = u128(factor) * b[j] + product_[i + j] + carry;
        product_[i + j] = u64(sum);
        carry = u64(sum >> 64);
      }
      product_[i + size_] = carry;
    }
    modulus_.reduce(product_.data(), 2 * size_);
    std::memcpy(a.data(), product_.data(), size_ * sizeof(u64));
  }

  const Modulus &modulus_;
  const size_t size_;
  Limbs product_;
  std::vector<Limbs> powers_;
};

/** base^exponent modulo `modulus`, of as many bytes as it; zero modulo zero. */
inline void power(const uint8_t *base, size_t base_bytes, const uint8_t *exponent, size_t exponent_bytes,
                  const uint8_t *modulus, uint8_t *output, size_t modulus_bytes) {
  std::memset(output, 0, modulus_bytes);
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
