// Parses WebSocket frames (RFC 6455, section 5.2), only to find their ends and to check that they are masked.
#pragma once

#include "request-head.h"

class WebSocketFrames {
 public:
  /**
   * Returns how many bytes of `in` can be passed on: those of at most `framesMax` frames, of which the last may be
   * incomplete. A frame whose header has not arrived completely, or that is not masked, is not passed on.
   */
  size_t take(Span in, uint32_t framesMax) {
    size_t at = 0;
    for (uint32_t frames = 0;; frames++) {
      const size_t rest = in.size - at;
      const size_t count = left_ < rest ? size_t(left_) : rest;
      at += count;
      left_ -= count;
      if (left_ > 0 || frames == framesMax || !header(behind(in, at), at)) return at;
    }
  }

  /** True if the next frame is not masked. A server must then close the connection (RFC 6455, section 5.1). */
  bool isUnmasked(Span in) const { return left_ == 0 && in.size >= 2 && (in.at[1] & 0x80) == 0; }

 private:
  /** Bytes of the frame's payload that have not arrived yet. */
  uint64_t left_ = 0;

  bool header(Span in, size_t &at) {
    if (in.size < 2 || isUnmasked(in)) return false;
    const uint8_t length = in.at[1] & 0x7f;
    const size_t more = length == 127 ? 8 : length == 126 ? 2 : 0;
    const size_t size = 2 + more + 4;
    if (in.size < size) return false;
    left_ = more == 0 ? length : 0;
    for (size_t i = 0; i < more; i++) left_ = left_ << 8 | in.at[2 + i];
    at += size;
    return true;
  }
};
