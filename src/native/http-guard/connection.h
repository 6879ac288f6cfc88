// One socket that uWebSockets.js polls, and the guard's state for it.
#pragma once

#include <uv.h>

#include <string>
#include <utility>

#include "remote-address.h"
#include "fair-queue.h"
#include "websocket-to-json-lines.h"
#include "request-framer.h"

/**
 * Initial and smallest value of `callBytesMax`, the maximum bytes that uWebSockets.js gets in one call. This maximum is
 * adapted to the time that calls take.
 */
constexpr size_t kCallBytes = 16 * 1024;
constexpr size_t kCallBytesMin = 512;
/** Maximum time in nanoseconds that one call into uWebSockets.js should take. */
constexpr uint64_t kCallNs = 1'000'000;

struct Connection : Fair {
  /**
   * Whether the guard reads from the connection. `Open`: yes. `Paused`: no, because a response is being built.
   * `WatchingEnd`: no, but the end of the connection is reported to uWebSockets.js.
   */
  enum class Reading : uint8_t { Open, Paused, WatchingEnd };

  Connection(int descriptor, uv_poll_t *poll, uv_poll_cb dispatch, bool listens, std::string from, bool isLocal)
      : fd(descriptor), handle(poll), callback(dispatch), isListening(listens), address(std::move(from)),
        framer(isLocal) {}

  const int fd;
  uv_poll_t *const handle;
  /** Callback that uWebSockets.js has passed to libuv for this socket. */
  const uv_poll_cb callback;
  const bool isListening;
  const std::string address;
  Client<Connection> *client = nullptr;
  Reading reading = Reading::Open;
  /** The poll events that uWebSockets.js has requested (UV_READABLE, UV_WRITABLE). */
  int wanted = 0;
  /** True once the socket is in edge-triggered mode: epoll reports arrived bytes only once. */
  bool isEdgeTriggered = false;
  /** True if bytes, or the end of the connection, have arrived and were not read yet. */
  bool isReadable = false;
  /** True if the client has closed its side of the connection, or the connection is broken. */
  bool hasEnded = false;
  /**
   * True if nothing can be sent any more. Responses are then dropped, and uWebSockets.js gets an error when the
   * connection is served next.
   */
  bool isGone = false;
  /** True if the socket's send buffer is full. */
  bool isBlocked = false;
  bool isHandshaking = false;
  /** True if the bytes in `rest` are an incomplete message, so that more bytes must be read first. */
  bool needsMore = false;
  size_t callBytesMax = kCallBytes;
  /** Number of bytes that uWebSockets.js has received in the current call of its poll callback; 0 between calls. */
  size_t callBytes = 0;
  /** Time of the last activity in milliseconds, on the event loop's clock. */
  uint64_t heardMs = 0;
  /** True if a dummy request must be passed to uWebSockets.js next, so that it does not close the idle connection. */
  bool isKeptOpen = false;
  /** True while uWebSockets.js processes the dummy request. Its response is dropped. */
  bool isSilenced = false;
  RequestFramer framer;
  /** Converts the output if the client uses bare JSON: it gets one JSON value per line. */
  WebSocketToJsonLines lines;
  Buffer rest;
  /**
   * Responses that are buffered, to be sent together with those of the next messages. uWebSockets.js regards them as
   * sent.
   */
  Buffer answers;

  /** True if bytes of the next message are buffered and may be complete. */
  bool hasNext() const { return !rest.empty() && !needsMore; }
  /** True if something can be passed on to uWebSockets.js without reading from the socket. */
  bool hasMore() const { return hasNext() || framer.owesPong() || framer.isClosed(); }
  /** True if the connection is between two requests, and nothing of the next request has arrived. */
  bool isIdle() const {
    return reading == Reading::Open && rest.empty() && framer.isBetween() && !isReadable && !isBlocked;
  }
  bool isHeard() const { return reading == Reading::Open && (!isBlocked || framer.isWebSocket()) && !framer.isEnded(); }
  bool isDue() const {
    if (isGone || isKeptOpen) return true;
    return reading == Reading::WatchingEnd ? hasEnded : isHeard() && (isReadable || hasMore());
  }

  /**
   * Adapts `callBytesMax` to the time that the last call of the poll callback has taken, so that a call takes at most
   * about kCallNs whatever the bytes contain.
   */
  void fitCall(uint64_t usedNs) {
    if (usedNs > kCallNs && callBytes > 0) callBytesMax = std::max(kCallBytesMin, size_t(callBytes * kCallNs / usedNs));
    else if (callBytes >= callBytesMax) callBytesMax = std::min(2 * callBytesMax, kBodyReadBytes);
    callBytes = 0;
  }
};
