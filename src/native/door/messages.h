// The messages in the bytes of a connection, one at a time, in a form that uWebSockets.js reads as RFC 9112 does; bytes that are
// no message become a request that is refused. Bare JSON becomes a WebSocket. The form that judges it is src/http/node/messages.ts.
#pragma once

#include <cstdio>

#include "chunks.h"
#include "frames.h"
#include "values.h"

/** Bytes that are read at a time where messages begin, and of a body of a known length. */
constexpr size_t kReadBytes = 32 * 1024;
constexpr size_t kBodyReadBytes = 256 * 1024;
/** Bytes around those that are read: a head that is rewritten, the frame of a chunk, the headers of frames. */
constexpr size_t kStepBytesMax = kBodyReadBytes + kHeadBytesMax + 256;
/** Messages of a WebSocket that go on together. */
constexpr uint32_t kFramesMax = 32;
/** Stands in front of bare JSON; by the protocol an empty message says that no more come, see ../socket.ts. */
constexpr char kHandshake[] =
    "GET / HTTP/1.1\r\nhost: -\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n"
    "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nsec-websocket-protocol: values\r\n\r\n";

class Messages {
 public:
  /** `mayBeBare`: the first byte says whether it is HTTP or JSON that is spoken. */
  explicit Messages(bool mayBeBare) : state_(mayBeBare ? State::First : State::Head) {}

  /** Result of a step. */
  struct Step {
    /** Bytes that were read of what came, and written for the parser behind. */
    size_t taken = 0;
    size_t made = 0;
    /** The message is complete: what is left belongs to the next one. */
    bool isWhole = false;
  };

  /** The next message, or the next part of one. Where nothing is made, more has to come. */
  Step step(Span in, uint8_t *out) {
    if (owesPong_) return pong(out);
    switch (state_) {
      case State::First: return first(in, out);
      case State::Head: return head(in, out);
      case State::Length: return length(in, out, {});
      case State::Chunks: return chunks(in, out, {});
      case State::Frames: return frames(in, out);
      case State::Values: return values(in, out);
      default: return {in.size, 0, false};
    }
  }

  /** The handshake has been accepted: the rest of the connection is WebSocket frames, or becomes them. */
  void upgrade() {
    isHandshake_ = false;
    state_ = isBare_ ? State::Values : State::Frames;
  }

  /** A ping has been sent, of which a client that speaks JSON knows nothing: the next step is its answer. */
  void pinged() { owesPong_ = state_ == State::Values; }

  /** The client has closed its side: writes a last message that says so, where it may have answers still; 0 otherwise. */
  size_t end(uint8_t *out) {
    if (state_ != State::Values) return 0;
    state_ = State::Ended;
    return values_.end(out);
  }

  /** A client that speaks JSON has been told goodbye, of which it knows nothing: nothing of it is heard any more. */
  void close() { state_ = State::Closed; }

  bool isEnded() const { return state_ == State::Ended; }
  bool isClosed() const { return state_ == State::Closed; }
  bool owesPong() const { return owesPong_; }
  /** JSON is spoken, one value after another. */
  bool isBare() const { return isBare_; }
  bool isWebSocket() const { return state_ == State::Frames || state_ == State::Values; }
  /** Nothing that comes is a message any more. */
  bool isRefused() const { return state_ == State::Refused; }
  /** The message that was made last asks for a WebSocket. */
  bool isHandshake() const { return isHandshake_; }
  /** Bytes of the body that have not come, where its length is known. */
  uint64_t bodyLeft() const { return state_ == State::Length ? left_ : 0; }

  /** Notes bytes of the body that went to the parser directly; answers whether the message is complete. */
  bool passBody(size_t count) {
    left_ -= count;
    if (left_ == 0) state_ = State::Head;
    return left_ == 0;
  }

 private:
  enum class State : uint8_t { First, Head, Length, Chunks, Frames, Values, Ended, Closed, Ignored, Refused };

  State state_;
  bool isHandshake_ = false;
  bool isBare_ = false;
  bool owesPong_ = false;
  Head head_;
  /** Bytes of the head whose lines are read. */
  size_t readBytes_ = 0;
  uint64_t left_ = 0;
  Chunks chunks_;
  Frames frames_;
  Values values_;

  /** White space in front of the first byte that is none says nothing, up to what a head may be. */
  Step first(Span in, uint8_t *out) {
    size_t at = 0;
    while (at < in.size && isSpace(in.at[at])) at++;
    if (at == in.size && at <= kHeadBytesMax) return {};
    if (at == in.size || !isOpening(in.at[at])) return state_ = State::Head, head(in, out);
    // Nothing is a message until the handshake is accepted.
    state_ = State::Ignored;
    isHandshake_ = isBare_ = true;
    memcpy(out, kHandshake, sizeof kHandshake - 1);
    return {at, sizeof kHandshake - 1, true};
  }

  Step head(Span in, uint8_t *out) {
    size_t skipped = 0;
    if (!head_.isBegun()) skipped = emptyLines(in);
    in = behind(in, skipped);
    int status = 0;
    bool isEnded = false;
    while (status == 0 && !isEnded) {
      const Span rest = behind(in, readBytes_);
      const Span line = before(rest, '\n');
      if (line.size == rest.size) {
        status = unfinished(rest);
        if (status == 0) return {skipped, 0, false};
      } else if (readBytes_ + line.size + 1 > kHeadBytesMax) {
        status = 431;
      } else {
        status = lineOf(line, isEnded);
        readBytes_ += line.size + 1;
      }
    }
    if (status != 0) return refused(status, skipped + in.size, out);
    return begin(in, skipped, out);
  }

  /** Empty lines in front of a request are passed over (RFC 9112, section 2.2). */
  static size_t emptyLines(Span in) {
    size_t at = 0;
    while (in.size - at >= 2 && in.at[at] == '\r' && in.at[at + 1] == '\n') at += 2;
    return at;
  }

  /** The status by which the beginning of a line is refused, 0 for none. */
  int unfinished(Span rest) const {
    if (readBytes_ + rest.size > kHeadBytesMax) return 431;
    for (size_t i = 0; i < rest.size; i++)
      if (!isValueByte(rest.at[i]) && !(rest.at[i] == '\r' && i + 1 == rest.size)) return 400;
    return 0;
  }

  int lineOf(Span line, bool &isEnded) {
    if (line.size == 0 || line.at[line.size - 1] != '\r') return 400;
    line.size--;
    isEnded = line.size == 0 && head_.isBegun();
    return isEnded ? head_.end() : head_.take(line);
  }

  /** The head is complete; `in` begins with it. */
  Step begin(Span in, size_t skipped, uint8_t *out) {
    const Span head{in.at, readBytes_};
    Step step{skipped + head.size, 0, false};
    if (head_.isRewritten()) {
      step.made = head_.rewrite(head, out);
    } else {
      memcpy(out, head.at, head.size);
      step.made = head.size;
    }
    isHandshake_ = head_.isHandshake();
    left_ = head_.length();
    const Head::Body body = head_.body();
    head_ = Head();
    readBytes_ = 0;
    if (step.made > kHeadBytesMax) return refused(431, skipped + in.size, out);
    const Span rest = behind(in, head.size);
    if (body == Head::Body::Length) return state_ = State::Length, length(rest, out, step);
    if (body == Head::Body::Chunks) return state_ = State::Chunks, chunks_ = Chunks(), chunks(rest, out, step);
    step.isWhole = true;
    return step;
  }

  Step length(Span in, uint8_t *out, Step step) {
    const size_t count = in.size < left_ ? in.size : size_t(left_);
    if (count > 0) memcpy(out + step.made, in.at, count);
    step.taken += count;
    step.made += count;
    step.isWhole = passBody(count);
    return step;
  }

  /** Data become one chunk, of which the size has as many digits each time. */
  Step chunks(Span in, uint8_t *out, Step step) {
    constexpr size_t kSizeLine = 7;
    uint8_t *chunk = out + step.made;
    size_t taken, data;
    const Chunks::Outcome outcome = chunks_.take(in, chunk + kSizeLine, taken, data);
    if (outcome == Chunks::Outcome::Fault) return faultyChunk(in.size, out, step);
    step.taken += taken;
    if (data > 0) {
      for (int i = 0; i < 5; i++) chunk[i] = "0123456789abcdef"[data >> (16 - 4 * i) & 15];
      memcpy(chunk + 5, "\r\n", 2);
      memcpy(chunk + kSizeLine + data, "\r\n", 2);
      step.made += kSizeLine + data + 2;
    }
    if (outcome == Chunks::Outcome::More) return step;
    memcpy(out + step.made, "0\r\n\r\n", 5);
    step.made += 5;
    step.isWhole = true;
    state_ = State::Head;
    return step;
  }

  /** The parser behind is in mid-body: a chunk that is none makes it refuse the request. */
  Step faultyChunk(size_t size, uint8_t *out, Step step) {
    state_ = State::Refused;
    memcpy(out + step.made, "z\r\n", 3);
    return {step.taken + size, step.made + 3, true};
  }

  Step frames(Span in, uint8_t *out) {
    const size_t count = frames_.take(in, kFramesMax);
    memcpy(out, in.at, count);
    return {count, count, true};
  }

  Step values(Span in, uint8_t *out) {
    const Values::Step step = values_.take(in, out, kFramesMax);
    if (step.isFault) state_ = State::Refused;
    return {step.taken, step.made, true};
  }

  Step pong(uint8_t *out) {
    owesPong_ = false;
    memcpy(out, "\x8a\x80\0\0\0\0", 6);
    return {0, 6, true};
  }

  /** A request in place of one that is none: its route answers with the status and closes. */
  Step refused(int status, size_t taken, uint8_t *out) {
    state_ = State::Refused;
    char text[64];
    const int size = snprintf(text, sizeof text, "GET /!%d HTTP/1.1\r\nhost: -\r\n\r\n", status);
    memcpy(out, text, size);
    return {taken, size_t(size), true};
  }
};
