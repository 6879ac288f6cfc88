// The pass over a body of plain reads: reads all of it and fetches the entries, then looks each up and writes its answer. It
// answers the whole body, byte for byte as src/rpc does, or nothing of it.
#ifndef PRESTATE_PLAIN_READS_ANSWERS_H
#define PRESTATE_PLAIN_READS_ANSWERS_H

#include <memory>
#include <new>

#include "body.h"
#include "table.h"

namespace prestate {

/** What the tags stand for. */
struct Versions {
  uint32_t pending;
  uint32_t latest;
};

/** Writes answers into memory that is known to be large enough. */
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

  /** A number of `count` words, the low one first, without leading zeros. */
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
  /** Bytes of an answer beside its id, comma included: constant text of 38, a word of 64. */
  static constexpr size_t kAnswerBytes = 102;

  PlainReads(const Table &table, uint32_t calls_max)
      : table_(table), reads_(new (std::nothrow) Read[calls_max]), calls_max_(calls_max) {}

  bool out_of_memory() const { return reads_ == nullptr; }
  /** Calls of the body, by method. */
  const uint32_t *counts() const { return counts_; }

  /** Bytes of the answer; 0 where the body is not of plain reads alone, or one of them cannot be answered here. */
  size_t answer(const uint8_t *body, size_t length, Versions versions, uint8_t *out, size_t out_bytes) {
    if (!read(body, length) || needed_ > out_bytes) return 0;
    AnswerWriter writer(out);
    if (is_batch_) writer.put('[');
    for (uint32_t i = 0; i < count_; i++) {
      if (i > 0) writer.put(',');
      if (!answer(reads_[i], versions, writer)) return 0;
    }
    if (is_batch_) writer.put(']');
    return writer.length();
  }

 private:
  bool read(const uint8_t *body, size_t length) {
    BodyReader reader(body, length);
    count_ = 0;
    std::fill_n(counts_, kMethods, 0);
    needed_ = 2;
    is_batch_ = reader.mark('[');
    do {
      if (count_ == calls_max_ || !reader.read(reads_[count_])) return false;
      prepare(reads_[count_++]);
    } while (is_batch_ && reader.mark(','));
    return (!is_batch_ || reader.mark(']')) && reader.done();
  }

  /** The look-up comes later, when the entry is there: by then the other calls have been read. */
  void prepare(Read &read) {
    const Kind &kind = kind_of(read);
    read.tag = table_.hash(read.key, kind.key_words);
    table_.prefetch(kind, read.tag);
    needed_ += read.id_length + kAnswerBytes;
    counts_[uint32_t(read.method)]++;
  }

  bool answer(const Read &read, Versions versions, AnswerWriter &writer) const {
    uint32_t payload[kPayloadWords];
    const uint32_t version = read.is_latest ? versions.latest : versions.pending;
    if (table_.read(kind_of(read), read.key, read.tag, version, payload) != Look::kRead) return false;
    // What lies beyond 128 bits lies elsewhere.
    if (read.method == Method::kBalance && payload[kWide] != 0) return false;
    writer.open(read);
    write(read.method, payload, writer);
    writer.close();
    return true;
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
  std::unique_ptr<Read[]> reads_;
  uint32_t calls_max_;
  uint32_t count_ = 0;
  uint32_t counts_[kMethods] = {};
  size_t needed_ = 0;
  bool is_batch_ = false;
};

}  // namespace prestate

#endif
