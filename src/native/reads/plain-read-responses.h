// Answers plain reads (see plain-read-parser.h). It parses several calls and prefetches their entries of the state
// table. Then it looks up each one and writes its response, byte for byte as src/rpc would. It answers a whole body or
// nothing of it; in a batch that also contains other calls, it answers consecutive plain reads.
#pragma once

#include <memory>
#include <new>

#include "plain-read-parser.h"
#include "table-reader.h"

namespace prestate {

/**
 * Versions and numbers of the blocks that block tags stand for, as words that native-plain-reads.ts fills in. A missing
 * block number is all ones.
 */
struct Heads {
  /** State versions of the newest increment of the pending block (`pending`) and of the newest block (`latest`). */
  uint32_t pending;
  uint32_t latest;
  /** Ordinal of the newest block's record in the table's ring buffer of blocks. */
  uint32_t top;
  /** Block used for a call without a block parameter: kLatest or kPending. */
  Block default_block;
  uint64_t pending_number;
  uint64_t latest_number;
  uint64_t safe;
  uint64_t finalized;
};

/**
 * Accounts whose nonces at `pending` must be answered by JavaScript: their number, then their sorted addresses (see
 * submitted-nonce-addresses.ts).
 */
class Guarded {
 public:
  explicit Guarded(const uint32_t *words = nullptr) : words_(words) {}

  bool has(const uint32_t *address) const {
    uint32_t low = 0, high = words_[0];
    while (low < high) {
      const uint32_t middle = (low + high) / 2;
      const int order = std::memcmp(words_ + 1 + kAddressWords * middle, address, kAddressWords * sizeof *address);
      if (order == 0) return true;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return false;
  }

 private:
  static constexpr uint32_t kAddressWords = 5;
  const uint32_t *words_;
};

/** Memory for a response, and how much of it is left. */
struct Room {
  uint8_t *start;
  size_t bytes;
};

/** Writes responses into memory that is known to be large enough. */
class AnswerWriter {
 public:
  explicit AnswerWriter(uint8_t *out) : start_(out), at_(out) {}

  size_t length() const { return size_t(at_ - start_); }
  void put(char character) { *at_++ = uint8_t(character); }

  void open(const Read &read) {
    copy("{\"jsonrpc\":\"2.0\",\"id\":");
    std::memcpy(at_, read.id, read.id_length);
    at_ += read.id_length;
    copy(",\"result\":\"0x");
  }

  void close() { copy("\"}"); }

  void word(const uint32_t *words) {
    write_hex(reinterpret_cast<const uint8_t *>(words), 32, at_);
    at_ += 64;
  }

  /** Writes a quantity of `count` words, lowest word first, without leading zeros. */
  void quantity(const uint32_t *words, uint32_t count) {
    while (count > 1 && words[count - 1] == 0) count--;
    uint32_t digits = (35 - uint32_t(__builtin_clz(words[--count] | 1))) / 4;
    put_digits(words[count], digits);
    while (count > 0) put_digits(words[--count], 8);
  }

 private:
  template <size_t N>
  void copy(const char (&text)[N]) {
    std::memcpy(at_, text, N - 1);
    at_ += N - 1;
  }

  void put_digits(uint32_t value, uint32_t count) {
    while (count-- > 0) *at_++ = uint8_t("0123456789abcdef"[value >> 4 * count & 15]);
  }

  uint8_t *start_;
  uint8_t *at_;
};

class PlainReads {
 public:
  /**
   * Largest number of bytes of a response besides its id: 64 digits of a word, and 38 other characters, among them the
   * comma between the responses of a batch.
   */
  static constexpr size_t kAnswerBytes = 102;

  PlainReads(const Table &table, const Guarded &guarded, uint32_t calls_max)
      : table_(table), guarded_(guarded), reads_(new (std::nothrow) Read[calls_max]), calls_max_(calls_max) {}

  bool out_of_memory() const { return reads_ == nullptr; }
  /** Returns the numbers of answered calls by method. */
  const uint32_t *counts() const { return counts_; }

  /**
   * Answers a whole body; returns the length of the response. 0 if the body contains anything but plain reads, or if
   * one of them cannot be answered here.
   */
  size_t whole(const uint8_t *body, size_t length, const Heads &heads, Room room) {
    BodyReader reader(body, length);
    const bool is_batch = reader.mark('[');
    if (!read(reader, is_batch ? calls_max_ : 1, room) || (is_batch && !reader.mark(']')) || !reader.done()) return 0;
    AnswerWriter writer(room.start);
    if (is_batch) writer.put('[');
    if (answer(heads, writer) < count_) return 0;
    if (is_batch) writer.put(']');
    return writer.length();
  }

  /**
   * Answers consecutive calls of a well-formed batch, up to the first that cannot be answered here. Returns the length
   * of the responses, which are separated by commas.
   */
  size_t run(const uint8_t *calls, size_t length, const Heads &heads, Room room) {
    BodyReader reader(calls, length);
    read(reader, std::min(calls_max_, kRunCallsMax), room);
    AnswerWriter writer(room.start);
    answer(heads, writer);
    return writer.length();
  }

 private:
  /**
   * Largest number of calls that are parsed before the first is answered. If an early one cannot be answered here, the
   * calls after it must be parsed again.
   */
  static constexpr uint32_t kRunCallsMax = 16;

  /**
   * Parses calls as long as commas follow. Returns false if one of them is not a plain read, or if there is no space
   * for its response.
   */
  bool read(BodyReader &reader, uint32_t calls_max, Room room) {
    count_ = 0;
    size_t needed = 2;
    do {
      if (count_ == calls_max || !reader.read(reads_[count_])) return false;
      needed += reads_[count_].id_length + kAnswerBytes;
      if (needed > room.bytes) return false;
      prepare(reads_[count_++]);
    } while (reader.mark(','));
    return true;
  }

  /** Prefetches the call's table entry, which is looked up after all calls of the body are parsed. */
  void prepare(Read &read) {
    const Kind &kind = kind_of(read);
    read.tag = table_.hash(read.key, kind.key_words);
    table_.prefetch(kind, read.tag);
  }

  /** Answers the calls up to the first that cannot be answered here; returns how many were answered. */
  uint32_t answer(const Heads &heads, AnswerWriter &writer) {
    std::fill_n(counts_, kMethods, 0);
    number_ = UINT64_MAX;
    version_ = 0;
    for (uint32_t i = 0; i < count_; i++) {
      const Read &read = reads_[i];
      uint32_t payload[kPayloadWords];
      if (!look_up(read, heads, payload)) return i;
      if (i > 0) writer.put(',');
      writer.open(read);
      write(read.method, payload, writer);
      writer.close();
      counts_[uint32_t(read.method)]++;
    }
    return count_;
  }

  bool look_up(const Read &read, const Heads &heads, uint32_t *payload) {
    if (read.method == Method::kNonce && block_of(read, heads) == Block::kPending && guarded_.has(read.key))
      return false;
    if (table_.read(kind_of(read), read.key, read.tag, version_of(read, heads), payload) != Look::kRead) return false;
    // The entry of an account whose balance exceeds 128 bits does not contain the balance: JavaScript answers the call.
    return read.method != Method::kBalance || payload[kWide] == 0;
  }

  static Block block_of(const Read &read, const Heads &heads) {
    return read.block == Block::kDefault ? heads.default_block : read.block;
  }

  /** Returns the version of the requested state; 0 if it is not in the table. */
  uint32_t version_of(const Read &read, const Heads &heads) {
    switch (block_of(read, heads)) {
      case Block::kLatest: return heads.latest;
      case Block::kPending: return heads.pending;
      case Block::kSafe: return version_at(heads.safe, heads);
      case Block::kFinalized: return version_at(heads.finalized, heads);
      default: break;
    }
    return read.number > heads.latest_number && read.number == heads.pending_number ? heads.pending
                                                                                   : version_at(read.number, heads);
  }

  /**
   * Returns the version of a block number. Caches the last one, because the calls of a batch mostly have the same
   * block.
   */
  uint32_t version_at(uint64_t number, const Heads &heads) {
    if (number == heads.latest_number) return heads.latest;
    if (number != number_) {
      version_ = table_.version_of(heads.top, number);
      number_ = number;
    }
    return version_;
  }

  static void write(Method method, const uint32_t *payload, AnswerWriter &writer) {
    switch (method) {
      case Method::kNonce: return writer.quantity(payload + kNonce, 2);
      case Method::kStorage: return writer.word(payload);
      case Method::kBalance: return writer.quantity(payload + kBalance, 4);
    }
  }

  static const Kind &kind_of(const Read &read) { return read.method == Method::kStorage ? kSlot : kAccount; }

  Table table_;
  Guarded guarded_;
  std::unique_ptr<Read[]> reads_;
  uint32_t calls_max_;
  uint32_t count_ = 0;
  uint32_t counts_[kMethods] = {};
  /** Block number that was looked up last, and its version. */
  uint64_t number_ = UINT64_MAX;
  uint32_t version_ = 0;
};

}  // namespace prestate
