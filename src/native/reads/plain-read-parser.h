// Parses plain reads, which are simple requests that the addon answers without JavaScript: for a nonce, a storage slot
// or a balance, at a block tag, a block number or no block. The four members of the request may have any order and
// white space, but no escapes. If a member is repeated, the last one counts. Everything else is left to the general
// decoder.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hex.h"

namespace prestate {

/** Method of a plain read, by its index in PLAIN_METHODS of native-plain-reads.ts. */
enum class Method : uint32_t { kNonce, kStorage, kBalance };
constexpr uint32_t kMethods = 3;

/**
 * Block of a plain read. `kNumbered` is a block number; `kDefault` is a missing or null block; the others are block
 * tags.
 */
enum class Block : uint32_t { kLatest, kPending, kSafe, kFinalized, kNumbered, kDefault };

/** One parsed call. Its id is the raw JSON in the body. */
struct Read {
  const uint8_t *id;
  size_t id_length;
  /** Address in words 0 to 4, storage slot in words 5 to 12. */
  uint32_t key[13];
  uint32_t tag;
  Method method;
  Block block;
  /** Block number, if the block is `kNumbered`. */
  uint64_t number;
};

/** Parses the calls of a body. Each step returns false for anything that is not a plain read. */
class BodyReader {
 public:
  BodyReader(const uint8_t *text, size_t length) : at_(text), end_(text + length) {}

  bool done() const { return at_ == end_; }

  /** Parses one of JSON's structural characters, and the white space around it (RFC 8259, section 2). */
  bool mark(char character) {
    if (!is_at(character)) {
      skip_space();
      if (!is_at(character)) return false;
    }
    at_++;
    skip_space();
    return true;
  }

  /** Parses a call. First tries the form that most clients write, which saves a quarter of the time. */
  bool read(Read &read) {
    const uint8_t *start = at_;
    if (!dense(read)) {
      at_ = start;
      if (!spread(read)) return false;
    }
    return settle(read);
  }

 private:
  /** Parses the members in the order of the JSON-RPC specification's examples, without white space. */
  bool dense(Read &read) {
    const bool is_dense = take("{\"jsonrpc\":\"2.0\",\"id\":") && id(read) && take(",\"method\":") && method(read) &&
                          take(",\"params\":[") && params(read) && take("]}");
    skip_space();
    return is_dense;
  }

  /** Parses members in any order, with white space around structural characters. */
  bool spread(Read &read) {
    uint32_t members = 0;
    if (!mark('{')) return false;
    do {
      const uint32_t member = this->member(read);
      if (member == kNone) return false;
      members |= member;
    } while (mark(','));
    return members == kAllMembers && mark('}');
  }

  enum Member : uint32_t { kNone = 0, kVersion = 1, kId = 2, kMethod = 4, kParams = 8, kAllMembers = 15 };

  size_t left() const { return size_t(end_ - at_); }

  template <size_t N>
  bool take(const char (&text)[N]) {
    if (left() < N - 1 || std::memcmp(at_, text, N - 1) != 0) return false;
    at_ += N - 1;
    return true;
  }

  bool is_at(char character) const { return left() > 0 && *at_ == uint8_t(character); }

  void skip_space() {
    while (left() > 0 && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) at_++;
  }

  Member member(Read &read) {
    if (take("\"jsonrpc\"")) return mark(':') && take("\"2.0\"") ? kVersion : kNone;
    if (take("\"id\"")) return mark(':') && id(read) ? kId : kNone;
    if (take("\"method\"")) return mark(':') && method(read) ? kMethod : kNone;
    return take("\"params\"") && mark(':') && mark('[') && params(read) && mark(']') ? kParams : kNone;
  }

  /** Parses the id of a call: digits, or a string of ASCII characters without escapes. */
  bool id(Read &read) {
    read.id = at_;
    if (take("\"")) {
      while (left() > 0 && *at_ >= ' ' && *at_ <= '~' && *at_ != '"' && *at_ != '\\') at_++;
      if (!take("\"")) return false;
    } else if (!take("0")) {
      while (left() > 0 && uint8_t(*at_ - '0') < 10) at_++;
    }
    read.id_length = size_t(at_ - read.id);
    return read.id_length > 0;
  }

  bool method(Read &read) {
    if (!take("\"eth_get")) return false;
    if (take("TransactionCount\"")) read.method = Method::kNonce;
    else if (take("StorageAt\"")) read.method = Method::kStorage;
    else if (take("Balance\"")) read.method = Method::kBalance;
    else return false;
    return true;
  }

  /**
   * Parses an address, then at most two strings. Whether these are a slot or a block is decided when the method is
   * known.
   */
  bool params(Read &read) {
    if (!take("\"0x") || !address(read) || !take("\"")) return false;
    for (words_ = 0; mark(','); words_++) {
      if (words_ == kWordsMax || !word(word_[words_])) return false;
    }
    return true;
  }

  /** A string after the address: `0x` and hex digits, or a block tag. */
  struct Word {
    const uint8_t *digits;
    size_t count;
    Block block;
  };
  static constexpr uint32_t kWordsMax = 2;

  bool word(Word &word) {
    word.digits = nullptr;
    if (take("\"0x")) return digits(word);
    if (take("\"latest\"")) word.block = Block::kLatest;
    else if (take("\"pending\"")) word.block = Block::kPending;
    else if (take("\"safe\"")) word.block = Block::kSafe;
    else if (take("\"finalized\"")) word.block = Block::kFinalized;
    else if (take("null")) word.block = Block::kDefault;
    else return false;
    return true;
  }

  /** Parses at most 64 characters up to a quote. */
  bool digits(Word &word) {
    word.digits = at_;
    const void *quote = std::memchr(at_, '"', std::min<size_t>(left(), 65));
    if (quote == nullptr) return false;
    word.count = size_t(static_cast<const uint8_t *>(quote) - at_);
    at_ += word.count + 1;
    return true;
  }

  /** Interprets the strings after the address, now that the method is known. */
  bool settle(Read &read) const {
    const uint32_t slots = read.method == Method::kStorage ? 1 : 0;
    if (words_ < slots || words_ > slots + 1 || (slots > 0 && !slot(word_[0], read))) return false;
    read.block = Block::kDefault;
    return words_ == slots || block(word_[slots], read);
  }

  static bool block(const Word &word, Read &read) {
    read.block = word.digits == nullptr ? word.block : Block::kNumbered;
    return word.digits == nullptr || number(word, read);
  }

  /** Parses a quantity of at most 64 bits without leading zeros. */
  static bool number(const Word &word, Read &read) {
    if (word.count == 0 || word.count > 16 || (word.digits[0] == '0' && word.count > 1)) return false;
    read.number = 0;
    uint8_t seen = 0;
    for (size_t i = 0; i < word.count; i++) {
      const uint8_t digit = kHex.value[word.digits[i]];
      seen |= digit;
      read.number = read.number << 4 | digit;
    }
    return seen < 16;
  }

  bool address(Read &read) {
    if (left() < 40 || !hex_words(at_, read.key, 5)) return false;
    at_ += 40;
    return true;
  }

  /** Parses a storage slot: any number of hex digits, even none, aligned to the right. */
  static bool slot(const Word &word, Read &read) {
    if (word.digits == nullptr) return false;
    if (word.count == 64) return hex_words(word.digits, read.key + 5, 8);
    uint8_t padded[64];
    std::memset(padded, '0', 64);
    std::memcpy(padded + 64 - word.count, word.digits, word.count);
    return hex_words(padded, read.key + 5, 8);
  }

  const uint8_t *at_;
  const uint8_t *end_;
  /** The strings after the address in the current params. Params may come before the method. */
  Word word_[kWordsMax];
  uint32_t words_ = 0;
};

}  // namespace prestate
