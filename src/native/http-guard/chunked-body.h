// Decodes a chunked request body (RFC 9112, section 7.1). Extensions and trailers are validated and dropped, and many
// small chunks become one. The reference implementation is test/http/guard/judge/chunks.ts.
#pragma once

#include "request-head.h"

/** Maximum number of hexadecimal digits in the size of a chunk. */
constexpr size_t kSizeDigitsMax = 13;

class ChunkedBody {
 public:
  enum class Outcome : uint8_t { More, End, Fault };

  /**
   * Reads chunks until the body or the input ends, and writes their data to `out`. Sets `taken` and `made` to the
   * numbers of bytes that were read and written.
   */
  Outcome take(Span in, uint8_t *out, size_t &taken, size_t &made) {
    taken = made = 0;
    while (taken < in.size && state_ != State::End && state_ != State::Fault) {
      if (state_ == State::Data) {
        const size_t count = in.size - taken < left_ ? in.size - taken : left_;
        memcpy(out + made, in.at + taken, count);
        taken += count;
        made += count;
        left_ -= count;
        if (left_ == 0) state_ = State::DataCr;
      } else {
        state_ = next(in.at[taken++]);
      }
    }
    return state_ == State::End ? Outcome::End : state_ == State::Fault ? Outcome::Fault : Outcome::More;
  }

 private:
  enum class State : uint8_t {
    Size, Space, Extension, SizeLf, Data, DataCr, DataLf, Name0, Name, Value, ValueLf, LastLf, End, Fault
  };

  State state_ = State::Size;
  size_t digits_ = 0;
  uint64_t left_ = 0;
  /** Number of bytes in chunk extensions and trailers so far. Together they may be as long as a request head. */
  size_t besideBytes_ = 0;

  State next(uint8_t byte) {
    switch (state_) {
      case State::Size: return size(byte);
      case State::Space:
        if (byte == ' ' || byte == '\t') return beside(State::Space);
        return byte == ';' ? beside(State::Extension) : State::Fault;
      case State::Extension:
        return byte == '\r' ? State::SizeLf : isValueByte(byte) ? beside(State::Extension) : State::Fault;
      case State::SizeLf: return byte != '\n' ? State::Fault : begin();
      case State::DataCr: return byte == '\r' ? State::DataLf : State::Fault;
      case State::DataLf: return byte == '\n' ? State::Size : State::Fault;
      case State::Name0: return byte == '\r' ? State::LastLf : isTokenByte(byte) ? beside(State::Name) : State::Fault;
      case State::Name:
        return byte == ':' ? beside(State::Value) : isTokenByte(byte) ? beside(State::Name) : State::Fault;
      case State::Value: return byte == '\r' ? State::ValueLf : isValueByte(byte) ? beside(State::Value) : State::Fault;
      case State::ValueLf: return byte == '\n' ? State::Name0 : State::Fault;
      case State::LastLf: return byte == '\n' ? State::End : State::Fault;
      default: return State::Fault;
    }
  }

  State size(uint8_t byte) {
    const uint8_t letter = lower(byte);
    const int digit = byte >= '0' && byte <= '9' ? byte - '0' : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
    if (digit >= 0) {
      left_ = left_ * 16 + digit;
      return ++digits_ > kSizeDigitsMax ? State::Fault : State::Size;
    }
    if (digits_ == 0) return State::Fault;
    if (byte == '\r') return State::SizeLf;
    return byte == ';' ? beside(State::Extension) : byte == ' ' || byte == '\t' ? beside(State::Space) : State::Fault;
  }

  /** Handles the end of the line that contains a chunk's size. */
  State begin() {
    digits_ = 0;
    return left_ > 0 ? State::Data : State::Name0;
  }

  State beside(State state) { return ++besideBytes_ > kHeadBytesMax ? State::Fault : state; }
};
