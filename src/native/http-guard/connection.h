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
 * Most bytes that uWebSockets.js gets in one call: at first, and at the least. The number grows and shrinks with the
 * time that a call takes.
 */
constexpr size_t kCallBytes = 16 * 1024;
constexpr size_t kCallBytesMin = 512;
/** Longest time in nanoseconds that one call into uWebSockets.js should take. */
constexpr uint64_t kCallNs = 1'000'000;

struct Connection : Fair {
  /**
   * Whether the guard reads from the connection. `Open`: yes. `Paused`: no, while uWebSockets.js builds a response.
   * `WatchingEnd`: no, but uWebSockets.js is told when the connection ends.
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
  /** Events that uWebSockets.js has requested from libuv. */
  int wanted = 0;
  /** True once the socket's events are edge-triggered: the system reports arriving bytes only once. */
  bool isEdgeTriggered = false;
  /** True if bytes, or the end of the connection, have arrived and were not read yet. */
  bool isReadable = false;
  /** True if the client has closed its side, or if both sides are closed. */
  bool hasEnded = false;
  /** True if nothing can be sent any more: responses are dropped, and uWebSockets.js gets an error at its next read. */
  bool isGone = false;
  /** True if the socket's send buffer is full. */
  bool isBlocked = false;
  bool isHandshaking = false;
  /** True if the bytes in `rest` are only a part of a message. */
  bool needsMore = false;
  size_t callBytesMax = kCallBytes;
  /** Number of bytes that uWebSockets.js has received in the current call of its poll callback; 0 between calls. */
  size_t callBytes = 0;
  /** Time of the last activity in milliseconds, on the event loop's clock. */
  uint64_t heardMs = 0;
  /** True if a dummy request must be passed on to uWebSockets.js, so that it keeps the connection open. */
  bool isKeptOpen = false;
  /**
   * True while a dummy request, which keeps the connection open, is passed on to uWebSockets.js. What uWebSockets.js
   * sends in this time is dropped.
   */
  bool isSilenced = false;
  RequestFramer framer;
  /** Output of a connection that speaks bare JSON (one value per line). */
  WebSocketToJsonLines lines;
  Buffer rest;
  /**
   * Responses that are held back, to be sent together with those of the next messages. For uWebSockets.js they count as
   * sent.
   */
  Buffer answers;

  /** True if the next message may have arrived completely. */
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
   * Adapts `callBytesMax` to the time that the last call of the poll callback has taken. This limits the time of a
   * call, whatever the bytes contain.
   */
  void fitCall(uint64_t usedNs) {
    if (usedNs > kCallNs && callBytes > 0) callBytesMax = std::max(kCallBytesMin, size_t(callBytes * kCallNs / usedNs));
    else if (callBytes >= callBytesMax) callBytesMax = std::min(2 * callBytesMax, kBodyReadBytes);
    callBytes = 0;
  }
};
