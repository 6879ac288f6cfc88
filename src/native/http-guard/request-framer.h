// Splits the bytes of a connection into messages, and passes on one at a time, in a form that uWebSockets.js parses
// exactly as RFC 9112 requires. A malformed message is replaced by a request that a route refuses. Bare JSON is
// converted to WebSocket frames. The reference implementation is test/http/guard/judge/messages.ts.
#pragma once

#include <cstdio>

#include "chunked-body.h"
#include "bare-json-to-websocket.h"
#include "websocket-frames.h"

/** Maximum bytes of one read. `kBodyReadBytes` is for the rest of a body whose length is known. */
constexpr size_t kReadBytes = 32 * 1024;
constexpr size_t kBodyReadBytes = 256 * 1024;
/**
 * Maximum bytes that one call passes on: a rewritten request head, the bytes of one read, 256 bytes for the framing of
 * a chunk or for frame headers, and the part of a body that has arrived.
 */
constexpr size_t kStepBytesMax = kHeadBytesMax + kRewrittenMore + kReadBytes + 256 + kBodyReadBytes;
/** Maximum number of WebSocket frames, or of frames made from bare JSON, that are passed on together. */
constexpr uint32_t kFramesMax = 32;
/**
 * WebSocket handshake that this file inserts before the input of a client that sends bare JSON, because uWebSockets.js
 * would not accept JSON without HTTP. By its subprotocol, src/http/routes/websocket-route.ts recognizes such clients.
 */
constexpr char kHandshake[] =
    "GET / HTTP/1.1\r\nhost: -\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n"
    "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nsec-websocket-protocol: values\r\n\r\n";
/**
 * An empty pong frame, and a close frame with the code for a protocol error (RFC 6455, section 7.4.1). uWebSockets.js
 * answers the latter with a close frame of the same code.
 */
constexpr char kPong[] = "\x8a\x80\0\0\0\0";
constexpr char kProtocolError[] = "\x88\x82\0\0\0\0\x03\xea";

class RequestFramer {
 public:
  /** If `mayBeBare` is set, the first byte decides whether the connection uses HTTP or bare JSON. */
  explicit RequestFramer(bool mayBeBare) : state_(mayBeBare ? State::First : State::Head) {}

  /** Result of one step of the framer. */
  struct Step {
    /** Number of input bytes that were consumed. */
    size_t taken = 0;
    /** The bytes for uWebSockets.js: a part of the input if nothing had to be changed, otherwise a rewritten copy. */
    Span made = {};
    /** True if the message is complete, so that the remaining input belongs to the next message. */
    bool isWhole = false;
  };

  /**
   * Returns the next message or the next part of a message. A part is a request head with at most `bytesMax` bytes
   * after it, or at most `bytesMax` bytes. If `made` is empty, more input is needed. `out` must have space for
   * kStepBytesMax bytes.
   */
  Step step(Span in, uint8_t *out, size_t bytesMax) {
    if (owesPong_) return owesPong_ = false, Step{0, spanOf(kPong), true};
    switch (state_) {
      case State::First: return first(in, out, bytesMax);
      case State::Head: return head(in, out, bytesMax);
      case State::Length: return length(atMost(in, bytesMax), out, {});
      case State::Chunks: return chunks(atMost(in, bytesMax), out, {});
      case State::Frames: return frames(atMost(in, bytesMax));
      case State::Values: return values(atMost(in, bytesMax), out);
      default: return {in.size, {}, false};
    }
  }

  /**
   * Replaces the next message by a request that a route refuses with this HTTP status. Must not be called inside a
   * message.
   */
  Step refuse(int status, size_t taken, uint8_t *out) {
    state_ = State::Refused;
    auto *text = reinterpret_cast<char *>(out);
    const int size = snprintf(text, kHeadBytesMax, "GET /!%d HTTP/1.1\r\nhost: -\r\n\r\n", status);
    return {taken, {out, size_t(size)}, true};
  }

  /**
   * Must be called when uWebSockets.js has accepted the handshake. All further input of this connection consists of
   * WebSocket frames, or of bare JSON that is converted to frames.
   */
  void upgrade() {
    isHandshake_ = false;
    state_ = isBare_ ? State::Values : State::Frames;
  }

  /**
   * Must be called when uWebSockets.js has sent a ping. A client that uses bare JSON does not get the ping, so the
   * framer answers it with a pong.
   */
  void pinged() { owesPong_ = state_ == State::Values; }

  /**
   * Must be called when the client has closed its side of the connection. If the client uses bare JSON, writes an empty
   * message, which marks the end of the input, and returns the number of bytes written. Otherwise returns 0.
   */
  size_t end(uint8_t *out) {
    if (state_ != State::Values) return 0;
    state_ = State::Ended;
    return values_.end(out);
  }

  /**
   * Must be called when uWebSockets.js has sent a close frame to a client that uses bare JSON. Nothing more is read
   * from the client, which does not get the frame.
   */
  void close() { state_ = State::Closed; }

  bool isEnded() const { return state_ == State::Ended; }
  bool isClosed() const { return state_ == State::Closed; }
  bool owesPong() const { return owesPong_; }
  /** True if the client sends bare JSON: JSON values without HTTP. */
  bool isBare() const { return isBare_; }
  bool isWebSocket() const { return state_ == State::Frames || state_ == State::Values; }
  /** True if no more messages are accepted on this connection. */
  bool isRefused() const { return state_ == State::Refused; }
  /** True if the last message is a WebSocket handshake. */
  bool isHandshake() const { return isHandshake_; }
  /**
   * Length of the body at the end of the last message. 0 if the request has no body, is not complete, or has no plain
   * head; see RequestHead::isPlain.
   */
  size_t plainBodyBytes() const { return state_ == State::Head ? plainBodyBytes_ : 0; }
  /** True if a request was passed on, and nothing of the next request has arrived. */
  bool isBetween() const { return state_ == State::Head && !head_.isBegun() && hasPassed_; }
  /** True if the next bytes start an HTTP request or continue its head. */
  bool isInHead() const { return state_ == State::Head || state_ == State::First; }
  /** Bytes of the request body that have not arrived yet, if the length of the body is known. */
  uint64_t bodyLeft() const { return state_ == State::Length ? left_ : 0; }

  /**
   * Counts body bytes that are passed on, also those that do not go through `step`. Returns whether the body is
   * complete.
   */
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
  bool hasPassed_ = false;
  RequestHead head_;
  /** Number of bytes in the lines of the head that were parsed. */
  size_t readBytes_ = 0;
  uint64_t left_ = 0;
  size_t plainBodyBytes_ = 0;
  ChunkedBody chunks_;
  WebSocketFrames frames_;
  JsonValues values_;

  template <size_t Size>
  static Span spanOf(const char (&text)[Size]) { return {reinterpret_cast<const uint8_t *>(text), Size - 1}; }

  static Span atMost(Span span, size_t bytesMax) { return {span.at, span.size < bytesMax ? span.size : bytesMax}; }

  /**
   * Decides by the first byte that is not white space whether the client uses HTTP or bare JSON. The white space before
   * it may be as long as a request head.
   */
  Step first(Span in, uint8_t *out, size_t bytesMax) {
    size_t at = 0;
    while (at < in.size && isSpace(in.at[at])) at++;
    if (at == in.size && at <= kHeadBytesMax) return {};
    if (at == in.size || !isOpening(in.at[at])) return state_ = State::Head, head(in, out, bytesMax);
    // In this state nothing is passed on, until `upgrade` is called when the handshake is accepted.
    state_ = State::Ignored;
    isHandshake_ = isBare_ = true;
    return {at, spanOf(kHandshake), true};
  }

  Step head(Span in, uint8_t *out, size_t bytesMax) {
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
        if (status == 0) return {skipped, {}, false};
      } else if (readBytes_ + line.size + 1 > kHeadBytesMax) {
        status = 431;
      } else {
        status = lineOf(line, isEnded);
        readBytes_ += line.size + 1;
      }
    }
    if (status != 0) return refuse(status, skipped + in.size, out);
    return begin(in, skipped, out, bytesMax);
  }

  /** Returns the length of the empty lines before a request, which are skipped (RFC 9112, section 2.2). */
  static size_t emptyLines(Span in) {
    size_t at = 0;
    while (in.size - at >= 2 && in.at[at] == '\r' && in.at[at + 1] == '\n') at += 2;
    return at;
  }

  /** Returns the HTTP status with which an incomplete line is refused; 0 if it may still become valid. */
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

  /** Handles a complete request head, which is at the start of `in`. */
  Step begin(Span in, size_t skipped, uint8_t *out, size_t bytesMax) {
    const Span head{in.at, readBytes_};
    Step step{skipped + head.size, head, false};
    if (head_.isRewritten()) step.made = {out, head_.rewrite(head, out)};
    hasPassed_ = true;
    isHandshake_ = head_.isHandshake();
    left_ = head_.length();
    const RequestHead::Body body = head_.body();
    plainBodyBytes_ = body == RequestHead::Body::Length && head_.isPlain() ? left_ : 0;
    head_ = RequestHead();
    readBytes_ = 0;
    if (step.made.size > kHeadBytesMax) return refuse(431, skipped + in.size, out);
    const Span rest = atMost(behind(in, head.size), bytesMax);
    if (body == RequestHead::Body::Length) return state_ = State::Length, length(rest, out, step);
    if (body == RequestHead::Body::Chunks)
      return state_ = State::Chunks, chunks_ = ChunkedBody(), chunks(rest, out, step);
    step.isWhole = true;
    return step;
  }

  /**
   * Passes on the next part of a body whose length is known, after the head if `step` contains it. The input is copied
   * only if the head was rewritten.
   */
  Step length(Span in, uint8_t *out, Step step) {
    const size_t count = in.size < left_ ? in.size : size_t(left_);
    if (step.made.size == 0) step.made.at = in.at;
    else if (step.made.at == out) memcpy(out + step.made.size, in.at, count);
    step.made.size += count;
    step.taken += count;
    step.isWhole = passBody(count);
    return step;
  }

  /**
   * Passes on all data of a chunked body that has arrived, as one chunk, after the head if `step` contains it. The
   * chunk's size is always written with five digits.
   */
  Step chunks(Span in, uint8_t *out, Step step) {
    constexpr size_t kSizeLine = 7;
    if (step.made.size > 0 && step.made.at != out) memcpy(out, step.made.at, step.made.size);
    uint8_t *chunk = out + step.made.size;
    size_t taken, data;
    const ChunkedBody::Outcome outcome = chunks_.take(in, chunk + kSizeLine, taken, data);
    if (outcome == ChunkedBody::Outcome::Fault)
      return faultyChunk(in.size, chunk, {step.taken, {out, step.made.size}, true});
    uint8_t *end = chunk;
    if (data > 0) {
      for (int i = 0; i < 5; i++) chunk[i] = "0123456789abcdef"[data >> (16 - 4 * i) & 15];
      memcpy(chunk + 5, "\r\n", 2);
      memcpy(chunk + kSizeLine + data, "\r\n", 2);
      end += kSizeLine + data + 2;
    }
    const bool isWhole = outcome == ChunkedBody::Outcome::End;
    if (isWhole) memcpy(end, "0\r\n\r\n", 5), end += 5, state_ = State::Head;
    return {step.taken + taken, {out, size_t(end - out)}, isWhole};
  }

  /**
   * Refuses a request with an invalid chunk. uWebSockets.js has already parsed the head, so it gets an invalid chunk,
   * too, and refuses the request itself.
   */
  Step faultyChunk(size_t size, uint8_t *chunk, Step step) {
    state_ = State::Refused;
    memcpy(chunk, "z\r\n", 3);
    step.taken += size;
    step.made.size += 3;
    return step;
  }

  Step frames(Span in) {
    const size_t count = frames_.take(in, kFramesMax);
    if (count > 0 || !frames_.isUnmasked(in)) return {count, {in.at, count}, true};
    state_ = State::Ignored;
    return {in.size, spanOf(kProtocolError), true};
  }

  Step values(Span in, uint8_t *out) {
    const JsonValues::Step step = values_.take(in, out, kFramesMax);
    if (step.isFault) state_ = State::Refused;
    return {step.taken, {out, step.made}, true};
  }
};
