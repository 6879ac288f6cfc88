// Converts the JSON values that a bare-JSON client sends to WebSocket frames (RFC 6455, section 5.2). The reference
// implementation is test/http/guard/judge/values.ts.
//
// A bare-JSON client sends JSON values over a Unix socket without HTTP. uWebSockets.js gets them as WebSocket messages.
// See DECISIONS.md.
#pragma once

#include "request-head.h"

/** Maximum payload bytes of a WebSocket frame. A longer value continues in further frames. */
constexpr size_t kValueFrameBytesMax = 0xffff;
constexpr size_t kValueHeaderBytes = 8;

/** True for JSON white space (RFC 8259, section 2). */
inline bool isSpace(uint8_t byte) { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }

/** The only bit in which braces and square brackets differ. */
constexpr uint8_t kBraceBit = 0x20;
inline bool isOpening(uint8_t byte) { return (byte & ~kBraceBit) == '['; }
inline bool isClosing(uint8_t byte) { return (byte & ~kBraceBit) == ']'; }

/**
 * Finds the ends of JSON values. A value ends where its brackets are balanced; the JSON inside is not checked, because
 * the service does that later.
 */
class JsonValues {
 public:
  struct Step {
    size_t taken = 0;
    size_t made = 0;
    bool isFault = false;
  };

  /**
   * Writes at most `framesMax` WebSocket frames. A byte that cannot start a JSON value is written as the last frame,
   * and the rest of the input is dropped.
   */
  Step take(Span in, uint8_t *out, uint32_t framesMax) {
    Step step;
    for (uint32_t frames = 0; frames < framesMax; frames++) {
      while (depth_ == 0 && step.taken < in.size && isSpace(in.at[step.taken])) step.taken++;
      if (step.taken == in.size) break;
      const Span rest = behind(in, step.taken);
      if (depth_ == 0 && !isOpening(*rest.at)) {
        step.made += frame({rest.at, 1}, out + step.made);
        step.made += end(out + step.made);
        return {in.size, step.made, true};
      }
      const Span part{rest.at, sizeOf(rest)};
      step.made += frame(part, out + step.made);
      step.taken += part.size;
    }
    return step;
  }

  /**
   * Writes the frames for the end of the input: the end of an incomplete value, if there is one, and an empty message.
   */
  size_t end(uint8_t *out) const {
    const size_t size = isBegun_ ? 6 : 0;
    memcpy(out, "\x80\x80\0\0\0\0", size);
    memcpy(out + size, "\x82\x80\0\0\0\0", 6);
    return size + 6;
  }

 private:
  /** Number of brackets that are open. */
  size_t depth_ = 0;
  bool isString_ = false;
  bool isEscaped_ = false;
  /** True if a part of the current value was already passed on. */
  bool isBegun_ = false;

  /** Returns the number of bytes for the next frame: up to the end of the value, or as many as fit into one frame. */
  size_t sizeOf(Span in) {
    const size_t end = in.size < kValueFrameBytesMax ? in.size : kValueFrameBytesMax;
    for (size_t at = 0; at < end;) {
      read(in.at[at++]);
      if (depth_ == 0) return at;
    }
    return end;
  }

  void read(uint8_t byte) {
    if (isEscaped_) {
      isEscaped_ = false;
    } else if (isString_) {
      isEscaped_ = byte == '\\';
      isString_ = byte != '"';
    } else if (byte == '"') {
      isString_ = true;
    } else if (isOpening(byte)) {
      depth_++;
    } else if (isClosing(byte)) {
      depth_--;
    }
  }

  /**
   * Writes the frame as part of a binary message rather than a text message, so that uWebSockets.js does not check the
   * payload for UTF-8. The mask is zero, so that the payload is not changed.
   */
  size_t frame(Span payload, uint8_t *out) {
    const bool isLast = depth_ == 0;
    uint8_t *to = out;
    *to++ = (isLast ? 0x80 : 0) | (isBegun_ ? 0 : 2);
    isBegun_ = !isLast;
    if (payload.size < 126) {
      *to++ = 0x80 | payload.size;
    } else {
      *to++ = 0x80 | 126;
      *to++ = payload.size >> 8;
      *to++ = payload.size & 0xff;
    }
    memset(to, 0, 4);
    memcpy(to + 4, payload.at, payload.size);
    return to + 4 + payload.size - out;
  }
};
