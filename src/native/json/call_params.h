// Parses the parameters of a call in the form in which nearly all clients write them: a transaction object with simple
// members, and a block tag or nothing. Everything else, and every error, is left to src/rpc/params/call-arguments.ts,
// the reference implementation. Does not depend on Node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hex.h"

namespace prestate {

/** Largest number of bytes of call data. This and the following layout are also in native-call-parser.ts. */
constexpr uint32_t kDataBytesMax = 8192;

/** A parsed call, as little-endian words. */
struct PlainCall {
  /** Bit n is set if member n of `kMembers` is present. */
  uint32_t members;
  /** Index of the block tag in `kTags`; the number of tags if the call has no block tag. */
  uint32_t tag;
  uint32_t data_length;
  uint32_t reserved;
  /** Value, gas, gasPrice, maxFeePerGas and maxPriorityFeePerGas as four limbs each, lowest limb first. */
  uint64_t quantities[5][4];
  uint8_t from[20], to[20];
  uint8_t data[kDataBytesMax];
};

/** A quoted string, and its length including the quotes. */
struct Quoted {
  const char *text;
  uint32_t length;
};

enum Member : int { kFrom, kTo, kData, kInput, kValue, kGas, kGasPrice, kMaxFee, kMaxPriorityFee, kMembersCount };
constexpr Quoted kMembers[kMembersCount] = {
    {"\"from\"", 6}, {"\"to\"", 4},        {"\"data\"", 6},          {"\"input\"", 7},
    {"\"value\"", 7}, {"\"gas\"", 5},      {"\"gasPrice\"", 10},     {"\"maxFeePerGas\"", 14},
    {"\"maxPriorityFeePerGas\"", 22},
};
constexpr uint32_t kTagsCount = 5;
constexpr Quoted kTags[kTagsCount] = {
    {"\"latest\"", 8}, {"\"pending\"", 9}, {"\"safe\"", 6}, {"\"finalized\"", 11}, {"\"earliest\"", 10}};

/** Parses the parameters in one pass. The decoder has already checked that they are a well-formed array. */
class PlainCallReader {
 public:
  PlainCallReader(const uint8_t *text, uint32_t length, PlainCall *call)
      : at_(text), end_(text + length), call_(*call) {}

  /**
   * Returns false if the parameters are anything but an object with members of `kMembers`, and at most one tag of
   * `kTags` after it. The contents of the call are then undefined.
   */
  bool read() {
    std::memset(&call_, 0, offsetof(PlainCall, data));
    if (!take('[') || !take('{')) return false;
    do {
      const int member = one_of(kMembers, kMembersCount);
      const uint32_t bit = 1u << member;
      if (member == kMembersCount || (call_.members & bit) != 0 || !take(':') || !fill(member)) return false;
      call_.members |= bit;
    } while (take(','));
    if (!take('}') || has_two_of_a_kind()) return false;
    call_.tag = take(',') ? one_of(kTags, kTagsCount) : kTagsCount + 1;
    if (call_.tag == kTagsCount || !take(']')) return false;
    if (call_.tag > kTagsCount) call_.tag = kTagsCount;
    return true;
  }

 private:
  const uint8_t *at_;
  const uint8_t *const end_;
  PlainCall &call_;

  /** True if data is present under both of its names, or fees of both kinds are present. */
  bool has_two_of_a_kind() const {
    const auto has = [this](int member) { return (call_.members >> member & 1) != 0; };
    return (has(kData) && has(kInput)) || (has(kGasPrice) && (has(kMaxFee) || has(kMaxPriorityFee)));
  }

  bool fill(int member) {
    switch (member) {
      case kFrom: return address(call_.from);
      case kTo: return address(call_.to);
      case kData:
      case kInput: return data();
      case kGas: return quantity(call_.quantities[1], 16);
      default: return quantity(call_.quantities[member == kValue ? 0 : member - kGasPrice + 2], 64);
    }
  }

  bool address(uint8_t *out) {
    const uint8_t *digits;
    return hex_digits(&digits) == 40 && hex_bytes(digits, out, 20);
  }

  bool data() {
    const uint8_t *digits;
    const uint32_t count = hex_digits(&digits);
    if (count == kNoDigits || count % 2 != 0 || count / 2 > kDataBytesMax) return false;
    call_.data_length = count / 2;
    return hex_bytes(digits, call_.data, count / 2);
  }

  /** Parses a quantity without leading zeros. */
  bool quantity(uint64_t *limbs, uint32_t digits_max) {
    const uint8_t *digits;
    const uint32_t count = hex_digits(&digits);
    if (count == kNoDigits || count == 0 || count > digits_max || (count > 1 && *digits == '0')) return false;
    for (uint32_t i = 0; i < count; i++) {
      const uint8_t value = kHex.value[digits[i]];
      if (value == 0xff) return false;
      const uint32_t place = count - 1 - i;
      limbs[place / 16] |= uint64_t(value) << 4 * (place % 16);
    }
    return true;
  }

  static constexpr uint32_t kNoDigits = 0xffffffff;

  /**
   * Parses a string that starts with `0x`. Returns the number of characters after that, which need not be hex digits.
   */
  uint32_t hex_digits(const uint8_t **digits) {
    skip();
    if (end_ - at_ < 4 || at_[0] != '"' || at_[1] != '0' || at_[2] != 'x') return kNoDigits;
    *digits = at_ + 3;
    const void *quote = std::memchr(at_ + 3, '"', end_ - at_ - 3);
    if (quote == nullptr) return kNoDigits;
    at_ = static_cast<const uint8_t *>(quote) + 1;
    return uint32_t(at_ - 1 - *digits);
  }

  template <size_t Count>
  uint32_t one_of(const Quoted (&texts)[Count], uint32_t none) {
    skip();
    for (uint32_t i = 0; i < Count; i++) {
      const Quoted &each = texts[i];
      if (uint32_t(end_ - at_) < each.length || std::memcmp(at_, each.text, each.length) != 0) continue;
      at_ += each.length;
      return i;
    }
    return none;
  }

  bool take(uint8_t byte) {
    skip();
    if (at_ == end_ || *at_ != byte) return false;
    at_++;
    return true;
  }

  void skip() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) at_++;
  }
};

}  // namespace prestate
