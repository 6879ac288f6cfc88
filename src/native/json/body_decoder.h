// Decodes the JSON of a request body to the rows of src/rpc/decode/decoded-call-row.ts. Does not depend on Node, so
// both the addon and a test harness can call it.
//
// simdjson's first stage (SIMD code, chosen for the processor at run time) checks UTF-8 and control characters in
// strings, and lists the offsets of all structural characters and of the first character of every scalar. Its second
// stage would build a tape without source offsets, and refuse numbers that do not fit a double. So this file checks the
// grammar itself, on the first stage's list, which also gives the spans of ids and params in the source. One nonce
// request of a batch takes 59 ns including its row; building the tape alone takes 52 ns. The price is that this file
// implements the grammar of RFC 8259. src/rpc/decode/json-scanner.ts implements the same rules, and a differential
// fuzzer compares the two.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>

#include "hex.h"
#include "simdjson.h"

namespace prestate {

// Layout of a row; decoded-call-row.ts has the same constants.
constexpr uint32_t kRowWords = 8;
enum Word : uint32_t {
  kShape = 0,
  kOffset = 1,
  kIdOffset = 2,
  kIdLength = 3,
  kParamsOffset = 4,
  kParamsLength = 5,
  kMethodOffset = 6,
  kMethodLength = 7,
};
enum Shape : uint32_t { kInvalid = 0, kCall = 1, kNotification = 0x100 };
enum Body : int32_t { kMalformed = -1, kSingle = 0, kBatch = 1, kBatchTooLarge = 2 };

struct Name {
  const char *text;
  uint32_t length;
};

struct Limits {
  uint32_t body_bytes_max;
  uint32_t depth_max;
  uint32_t calls_max;  // in one batch
  uint32_t ids_max;    // rows of a batch that is too large
};

/** Offsets of a value in the body. `end` is 0 if the value is absent; `first` is its first character. */
struct Span {
  uint32_t offset = 0;
  uint32_t end = 0;
  uint8_t first = 0;
  uint32_t length() const { return end - offset; }
};

inline bool is_space(uint8_t c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
inline bool is_digit(uint8_t c) { return uint8_t(c - '0') < 10; }

/**
 * Checks the grammar of one body along its structural characters. Each function `..._end` checks a value and returns
 * the offset after it, or 0 if the value is malformed.
 */
class Walker {
 public:
  /**
   * `indexes` has `count` offsets of structural characters and starts of values, all below `length`, followed by
   * `length`.
   */
  Walker(const uint8_t *text, uint32_t length, const uint32_t *indexes, uint32_t count, uint32_t depth_max)
      : text_(text), length_(length), next_(indexes), end_(indexes + count), depth_max_(depth_max),
        escapes_(std::memchr(text, '\\', length) != nullptr) {}

  const uint8_t *text() const { return text_; }
  bool escapes() const { return escapes_; }
  bool done() const { return next_ == end_; }
  uint32_t offset() const { return *next_; }
  void step() { next_++; }
  /** Returns the character at the next structural index; NUL, with which no value starts, after the last one. */
  uint8_t peek() const { return next_ == end_ ? 0 : text_[*next_]; }
  bool take(uint8_t c) {
    if (peek() != c) return false;
    next_++;
    return true;
  }

  /** Checks any value that is nested in `depth` arrays or objects. */
  simdjson_inline uint32_t value_end(uint32_t depth) {
    // A shortcut: most values are strings, and checking these inline saves 15 % of the total time.
    return peek() == '"' ? string_end() : other_end(depth);
  }

  /** Checks a string, including its quotes. */
  simdjson_inline uint32_t string_end() {
    if (peek() != '"') return 0;
    const uint32_t start = *next_;
    // simdjson's first stage lists the starts of strings, but not their ends. The closing quote is the last character
    // that is no white space before the next listed position, so the string itself need not be scanned.
    uint32_t end = next_[1];
    while (text_[end - 1] != '"' && is_space(text_[end - 1])) end--;
    if (end < start + 2 || text_[end - 1] != '"') return 0;
    if (simdjson_unlikely(escapes_) && !escapes_valid(start + 1, end - 1)) return 0;
    next_++;
    return end;
  }

 private:
  /** Checks any value except a string. */
  uint32_t other_end(uint32_t depth) {
    switch (peek()) {
      case '{': return object_end(depth + 1);
      case '[': return array_end(depth + 1);
      case 't': return atom_end("true", 4);
      case 'f': return atom_end("false", 5);
      case 'n': return atom_end("null", 4);
      default: return number_end();
    }
  }

  uint32_t object_end(uint32_t depth) {
    if (depth > depth_max_) return 0;
    next_++;
    if (peek() == '}') return close();
    for (;;) {
      if (string_end() == 0 || !take(':') || value_end(depth) == 0) return 0;
      if (peek() == '}') return close();
      if (!take(',')) return 0;
    }
  }

  uint32_t array_end(uint32_t depth) {
    if (depth > depth_max_) return 0;
    next_++;
    if (peek() == ']') return close();
    for (;;) {
      if (value_end(depth) == 0) return 0;
      if (peek() == ']') return close();
      if (!take(',')) return 0;
    }
  }

  uint32_t close() { return *next_++ + 1; }

  uint32_t atom_end(const char *name, uint32_t size) {
    const uint32_t start = *next_;
    if (length_ - start < size || std::memcmp(text_ + start, name, size) != 0) return 0;
    return scalar_end(start + size);
  }

  uint32_t number_end() {
    if (next_ == end_) return 0;
    uint32_t at = *next_;
    if (text_[at] == '-') at++;
    if (at < length_ && text_[at] == '0') at++;
    else if ((at = digits_end(at)) == 0) return 0;
    if (at < length_ && text_[at] == '.' && (at = digits_end(at + 1)) == 0) return 0;
    if (at < length_ && (text_[at] | 0x20) == 'e') {
      at++;
      if (at < length_ && (text_[at] == '+' || text_[at] == '-')) at++;
      if ((at = digits_end(at)) == 0) return 0;
    }
    return scalar_end(at);
  }

  /** Checks that there is at least one digit; returns the offset after the digits. */
  uint32_t digits_end(uint32_t at) const {
    const uint32_t start = at;
    while (at < length_ && is_digit(text_[at])) at++;
    return at == start ? 0 : at;
  }

  /**
   * Returns the end of a scalar: it must be followed by the end of the input, white space, or a structural character.
   */
  uint32_t scalar_end(uint32_t at) {
    if (at < length_) {
      const uint8_t c = text_[at];
      if (!is_space(c) && c != ',' && c != ']' && c != '}') return 0;
    }
    next_++;
    return at;
  }

  simdjson_never_inline bool escapes_valid(uint32_t at, uint32_t end) const {
    while (at < end) {
      const void *found = std::memchr(text_ + at, '\\', end - at);
      if (found == nullptr) return true;
      at = uint32_t(static_cast<const uint8_t *>(found) - text_) + 1;
      if (at >= end) return false;
      const uint8_t c = text_[at++];
      if (c == 'u') {
        if (end - at < 4) return false;
        for (int i = 0; i < 4; i++) {
          if (kHex.value[text_[at + i]] == 0xff) return false;
        }
        at += 4;
      } else if (c == 0 || std::strchr("\"\\/bfnrt", c) == nullptr) {
        return false;
      }
    }
    return true;
  }

  const uint8_t *text_;
  uint32_t length_;
  const uint32_t *next_;
  const uint32_t *end_;
  uint32_t depth_max_;
  bool escapes_;
};

/** True if the contents [at, end) of a valid string are the ASCII name, once their escapes are decoded. */
simdjson_never_inline bool escaped_is(const uint8_t *text, uint32_t at, uint32_t end, Name name) {
  uint32_t i = 0;
  for (; at < end; i++) {
    if (i == name.length) return false;
    uint32_t unit = text[at++];
    if (unit == '\\') {
      if (text[at++] != 'u') return false;  // other escapes occur in no name
      unit = 0;
      for (int digit = 0; digit < 4; digit++) unit = unit << 4 | kHex.value[text[at++]];
    }
    if (unit != uint8_t(name.text[i])) return false;
  }
  return i == name.length;
}

inline bool string_is(const Walker &walker, uint32_t offset, uint32_t end, Name name) {
  if (end - offset - 2 == name.length && std::memcmp(walker.text() + offset + 1, name.text, name.length) == 0)
    return true;
  return simdjson_unlikely(walker.escapes()) && escaped_is(walker.text(), offset + 1, end - 1, name);
}

/** The members of one JSON-RPC request. If a key is repeated, the last one counts, as in go-ethereum. */
struct Members {
  Span version, method, params, id;
  Span unknown;

  Span &of(const Walker &walker, uint32_t offset, uint32_t end) {
    if (string_is(walker, offset, end, {"jsonrpc", 7})) return version;
    if (string_is(walker, offset, end, {"method", 6})) return method;
    if (string_is(walker, offset, end, {"params", 6})) return params;
    if (string_is(walker, offset, end, {"id", 2})) return id;
    return unknown;
  }

  bool id_valid() const {
    return id.first == 0 || id.first == '"' || id.first == '-' || id.first == 'n' || is_digit(id.first);
  }
  bool valid(const Walker &walker) const {
    return version.first == '"' && string_is(walker, version.offset, version.end, {"2.0", 3}) && method.first == '"' &&
           !string_is(walker, method.offset, method.end, {"", 0}) && id_valid();
  }
};

/** The decoder of one thread. It reuses simdjson's buffers for each body. */
class RequestDecoder {
 public:
  explicit RequestDecoder(Limits limits) : limits_(limits) {}

  const Limits &limits() const { return limits_; }

  /** Returns the number of calls in the decoded body. */
  uint32_t count() const { return count_; }
  /** Returns how many rows are needed, if the batch did not fit. The body must then be decoded again. */
  uint32_t rows_needed() const { return rows_needed_; }
  bool out_of_memory() const { return out_of_memory_; }

  /** Decodes a body; returns its kind (Body). `rows` has space for `capacity` rows, which is at least `calls_max`. */
  int32_t decode(const uint8_t *text, size_t length, uint32_t *rows, uint32_t capacity) {
    count_ = rows_needed_ = 0;
    if (length == 0 || length > limits_.body_bytes_max || !reserve(length)) return kMalformed;
    if (parser_->stage1(text, length, simdjson::stage1_mode::regular) != simdjson::SUCCESS) return kMalformed;
    Walker walker(text, uint32_t(length), parser_->structural_indexes.get(), parser_->n_structural_indexes,
        limits_.depth_max);
    if (walker.peek() == '[') return batch(walker, rows, capacity);
    count_ = 1;
    return request(walker, 0, rows) && walker.done() ? kSingle : kMalformed;
  }

 private:
  bool reserve(size_t length) {
    if (length <= reserved_) return true;
    size_t wanted = kReservedMin;
    while (wanted < length) wanted *= 2;
    reserved_ = 0;
    const auto error = simdjson::get_active_implementation()->create_dom_parser_implementation(wanted, 1, parser_);
    out_of_memory_ = error != simdjson::SUCCESS;
    if (!out_of_memory_) reserved_ = wanted;
    return !out_of_memory_;
  }

  int32_t batch(Walker &walker, uint32_t *rows, uint32_t capacity) {
    walker.step();
    uint32_t count = 0;
    uint32_t surplus[kRowWords];
    if (!walker.take(']')) {
      do {
        if (!request(walker, 1, count < capacity ? rows + size_t(count) * kRowWords : surplus)) return kMalformed;
        count++;
      } while (walker.take(','));
      if (!walker.take(']')) return kMalformed;
    }
    if (!walker.done()) return kMalformed;
    if (count > limits_.calls_max) return too_large(count, rows, capacity);
    count_ = count;
    return kBatch;
  }

  int32_t too_large(uint32_t count, uint32_t *rows, uint32_t capacity) {
    count_ = count < limits_.ids_max ? count : limits_.ids_max;
    if (count_ > capacity) rows_needed_ = count_;
    for (uint32_t i = 0; i < count_ && i < capacity; i++) keep_id(rows + size_t(i) * kRowWords);
    return kBatchTooLarge;
  }

  static void keep_id(uint32_t *row) {
    const uint32_t offset = row[kIdOffset];
    const uint32_t length = row[kIdLength];
    std::memset(row, 0, kRowWords * sizeof(uint32_t));
    row[kIdOffset] = offset;
    row[kIdLength] = length;
  }

  /** Decodes one element of the body, whatever its type is. Returns false only if it is not JSON. */
  bool request(Walker &walker, uint32_t depth, uint32_t *row) {
    std::memset(row, 0, kRowWords * sizeof(uint32_t));
    if (walker.peek() != '{') return walker.value_end(depth) != 0;
    Members members;
    const uint32_t offset = walker.offset();
    if (!object(walker, depth + 1, members)) return false;
    fill(walker, members, offset, row);
    return true;
  }

  bool object(Walker &walker, uint32_t depth, Members &members) {
    if (depth > limits_.depth_max) return false;
    walker.step();
    if (walker.take('}')) return true;
    do {
      if (walker.peek() != '"') return false;
      const uint32_t key = walker.offset();
      const uint32_t key_end = walker.string_end();
      if (key_end == 0 || !walker.take(':')) return false;
      Span &member = members.of(walker, key, key_end);
      member.first = walker.peek();
      member.offset = walker.done() ? 0 : walker.offset();
      member.end = walker.value_end(depth);
      if (member.end == 0) return false;
    } while (walker.take(','));
    return walker.take('}');
  }

  static void fill(const Walker &walker, const Members &members, uint32_t offset, uint32_t *row) {
    if (members.id_valid()) set_span(row, kIdOffset, members.id);
    if (!members.valid(walker)) return;
    row[kOffset] = offset;
    set_span(row, kParamsOffset, members.params);
    set_span(row, kMethodOffset, members.method);
    row[kShape] = kCall | (members.id.first == 0 ? kNotification : kInvalid);
  }

  static void set_span(uint32_t *row, uint32_t word, const Span &span) {
    row[word] = span.offset;
    row[word + 1] = span.length();
  }

  static constexpr size_t kReservedMin = 16 * 1024;

  Limits limits_;
  std::unique_ptr<simdjson::internal::dom_parser_implementation> parser_;
  size_t reserved_ = 0;
  uint32_t count_ = 0;
  uint32_t rows_needed_ = 0;
  bool out_of_memory_ = false;
};

}  // namespace prestate
