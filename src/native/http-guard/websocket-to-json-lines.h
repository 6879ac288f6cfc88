// Converts the output for a client that uses bare JSON over a Unix socket. uWebSockets.js sends WebSocket frames; the
// client gets only the messages in them, each on its own line. The reference implementation is
// test/http/guard/judge/lines.ts.
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include "request-head.h"

/** Opcodes of WebSocket control frames: close, ping (RFC 6455, section 5.5). */
constexpr uint8_t kGoodbye = 8;
constexpr uint8_t kPing = 9;

/** Maximum bytes that are sent to the client in one system call. */
constexpr size_t kLinesBytes = 64 * 1024;

class WebSocketToJsonLines {
 public:
  struct Step {
    /** Number of input bytes that were processed, and number of bytes that were written for the client. */
    size_t taken = 0;
    size_t made = 0;
  };

  /**
   * Converts input as long as there is space for the output. If only a part of the output can be sent, `send` repeats
   * the step from a copy of the earlier state, with that part's length as `room`.
   */
  Step step(Span in, uint8_t *out, size_t room) {
    Step step;
    while (step.taken < in.size && next(in, step, out, room)) continue;
    return step;
  }

  /**
   * Converts these bytes and sends the result to the client. Returns how many of the bytes were processed, or -1 with
   * errno, like send(2).
   */
  ssize_t send(int fd, Span in) {
    static uint8_t out[kLinesBytes];
    size_t taken = 0;
    while (taken < in.size) {
      const WebSocketToJsonLines before = *this;
      const Span rest = behind(in, taken);
      const Step all = step(rest, out, sizeof out);
      const ssize_t count = all.made == 0 ? 0 : ::send(fd, out, all.made, MSG_NOSIGNAL);
      if (count < ssize_t(all.made)) {
        *this = before;
        taken += step(rest, out, count < 0 ? 0 : count).taken;
        return taken == 0 && count < 0 ? -1 : taken;
      }
      taken += all.taken;
    }
    return taken;
  }

  /** Converts and sends the bytes of several buffers. The result is like that of writev(2). */
  ssize_t send(int fd, const iovec *parts, int count) {
    ssize_t sum = 0;
    for (int i = 0; i < count; i++) {
      const ssize_t sent = send(fd, {static_cast<const uint8_t *>(parts[i].iov_base), parts[i].iov_len});
      if (sent < 0 && sum == 0) return sent;
      if (sent > 0) sum += sent;
      if (sent < ssize_t(parts[i].iov_len)) break;
    }
    return sum;
  }

  /** True if uWebSockets.js has sent a ping since the last call. The client does not get pings. */
  bool takePing() {
    const bool isPinged = isPinged_;
    isPinged_ = false;
    return isPinged;
  }

  /** True if uWebSockets.js has sent a close frame. The client does not get close frames. */
  bool isClosed() const { return isClosed_; }

 private:
  /** What comes next in the input. `Refusal` is the response body after a handshake was refused. */
  enum class State : uint8_t { Head, Refusal, Header, Control, Message };

  State state_ = State::Head;
  bool isAccepted_ = true;
  bool isLast_ = false;
  /** True if the last byte of a message was written, but not yet the newline after it. */
  bool isLineOpen_ = false;
  bool isPinged_ = false;
  bool isClosed_ = false;
  /** Number of bytes of the response head that were read. */
  size_t headBytes_ = 0;
  /** How many bytes of `\r\n\r\n`, which ends the head, the last bytes match. */
  size_t endBytes_ = 0;
  uint8_t header_[10] = {};
  /** Bytes of the frame's payload that have not arrived yet. */
  uint64_t left_ = 0;

  /**
   * Processes one byte of a response head or frame header, or all bytes of a payload that have arrived. Returns false
   * if there is no space for output.
   */
  bool next(Span in, Step &step, uint8_t *out, size_t room) {
    const Span rest = behind(in, step.taken);
    switch (state_) {
      case State::Head: return head(in.at[step.taken++]), true;
      case State::Header: return header(in.at[step.taken++]), true;
      case State::Control: return skip(rest, step), true;
      case State::Refusal: return copy(rest, rest.size, step, out, room);
      default: return message(rest, step, out, room);
    }
  }

  void head(uint8_t byte) {
    constexpr char kAccepted[] = "HTTP/1.1 101";
    constexpr char kEnd[] = "\r\n\r\n";
    if (headBytes_ < sizeof kAccepted - 1 && byte != kAccepted[headBytes_]) isAccepted_ = false;
    headBytes_++;
    endBytes_ = byte == kEnd[endBytes_] ? endBytes_ + 1 : byte == '\r';
    if (endBytes_ < 4) return;
    headBytes_ = 0;
    state_ = isAccepted_ ? State::Header : State::Refusal;
  }

  void header(uint8_t byte) {
    header_[headBytes_++] = byte;
    if (headBytes_ < 2) return;
    const size_t more = header_[1] == 127 ? 8 : header_[1] == 126 ? 2 : 0;
    if (headBytes_ < 2 + more) return;
    headBytes_ = 0;
    left_ = more == 0 ? header_[1] : 0;
    for (size_t i = 0; i < more; i++) left_ = left_ << 8 | header_[2 + i];
    isLast_ = (header_[0] & 0x80) != 0;
    if ((header_[0] & 0x0f) == kPing) isPinged_ = true;
    if ((header_[0] & 0x0f) == kGoodbye) isClosed_ = true;
    state_ = left_ == 0 ? State::Header : (header_[0] & 0x08) != 0 ? State::Control : State::Message;
  }

  void skip(Span rest, Step &step) {
    const size_t count = left_ < rest.size ? size_t(left_) : rest.size;
    step.taken += count;
    left_ -= count;
    if (left_ == 0) state_ = State::Header;
  }

  /**
   * Writes bytes of a message. The last byte of a message does not count as processed until the newline after it is
   * written, so that the newline is not lost if there is no space.
   */
  bool message(Span rest, Step &step, uint8_t *out, size_t room) {
    const uint64_t whole = isLast_ ? left_ - 1 : left_;
    if (whole > 0) {
      const size_t before = step.taken;
      const bool hasRoom = copy(rest, whole, step, out, room);
      left_ -= step.taken - before;
      if (left_ == 0) state_ = State::Header;
      return hasRoom;
    }
    if (!isLineOpen_ && step.made < room) {
      out[step.made++] = *rest.at;
      isLineOpen_ = true;
    }
    if (step.made == room) return false;
    out[step.made++] = '\n';
    step.taken++;
    left_ = 0;
    isLineOpen_ = false;
    state_ = State::Header;
    return true;
  }

  static bool copy(Span rest, uint64_t bytesMax, Step &step, uint8_t *out, size_t room) {
    size_t count = bytesMax < rest.size ? size_t(bytesMax) : rest.size;
    if (room - step.made < count) count = room - step.made;
    if (count > 0) memcpy(out + step.made, rest.at, count);
    step.taken += count;
    step.made += count;
    return count > 0;
  }
};
