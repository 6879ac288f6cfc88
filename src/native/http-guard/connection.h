// A socket that uWebSockets.js polls, and what the guard knows about it.
#pragma once

#include <uv.h>

#include <string>
#include <utility>

#include "remote-address.h"
#include "fair-queue.h"
#include "json-lines-output.h"
#include "request-framer.h"

/**
 * Bytes that uWebSockets.js gets in one call: initially, and at the least. The number grows and shrinks with the time
 * that a call takes.
 */
constexpr size_t kCallBytes = 16 * 1024;
constexpr size_t kCallBytesMin = 512;
/** Longest time that a call into uWebSockets.js should take. */
constexpr uint64_t kCallNs = 1'000'000;

struct Connection : Fair {
  /**
   * Whether the connection is read. `Paused`: no, because its response is being built. `WatchingEnd`: the same, but the
   * end of the connection must be noticed.
   */
  enum class Reading : uint8_t { Open, Paused, WatchingEnd };

  Connection(int descriptor, uv_poll_t *poll, uv_poll_cb dispatch, bool listens, std::string from, bool isLocal)
      : fd(descriptor), handle(poll), callback(dispatch), isListening(listens), address(std::move(from)), framer(isLocal) {}

  const int fd;
  uv_poll_t *const handle;
  /** The callback of uWebSockets.js. */
  const uv_poll_cb callback;
  const bool isListening;
  const std::string address;
  Client<Connection> *client = nullptr;
  Reading reading = Reading::Open;
  /** The events that uWebSockets.js has requested. */
  int wanted = 0;
  /** True once the system reports arriving bytes a single time only (edge-triggered). */
  bool isEdgeTriggered = false;
  /** Bytes, or the end of the connection, have arrived and are not read yet. */
  bool isReadable = false;
  /** The client has closed its side, or both sides are closed. */
  bool hasEnded = false;
  /** Nothing can be sent any more: responses are dropped, and uWebSockets.js gets an error at once. */
  bool isGone = false;
  /** The socket's send buffer is full. */
  bool isBlocked = false;
  bool isHandshaking = false;
  /** The bytes in `rest` are an incomplete message. */
  bool needsMore = false;
  size_t callBytesMax = kCallBytes;
  /** Bytes that were passed to uWebSockets.js in the last call. */
  size_t callBytes = 0;
  /** Time of the last activity, on the event loop's clock. */
  uint64_t heardMs = 0;
  /** A request that keeps the connection open has to be passed on to uWebSockets.js. */
  bool isKeptOpen = false;
  /** Such a request is being passed on: what uWebSockets.js sends in the meantime is dropped. */
  bool isSilenced = false;
  RequestFramer framer;
  /** Output lines of a connection that speaks bare JSON. */
  JsonLines lines;
  Buffer rest;
  /**
   * Responses that are held back, to be sent with those of the next messages. For uWebSockets.js they are already sent.
   */
  Buffer answers;

  /** True if the next message has arrived completely. */
  bool hasNext() const { return !rest.empty() && !needsMore; }
  /** True if something can be passed on without reading from the socket. */
  bool hasMore() const { return hasNext() || framer.owesPong() || framer.isClosed(); }
  /** True between two requests, if nothing of the next one has arrived. */
  bool isIdle() const { return reading == Reading::Open && rest.empty() && framer.isBetween() && !isReadable && !isBlocked; }
  bool isHeard() const { return reading == Reading::Open && (!isBlocked || framer.isWebSocket()) && !framer.isEnded(); }
  bool isDue() const {
    if (isGone || isKeptOpen) return true;
    return reading == Reading::WatchingEnd ? hasEnded : isHeard() && (isReadable || hasMore());
  }

  /**
   * Adapts the number of bytes of the next call to the time of the last one. This bounds the time of a call, whatever
   * the bytes contain.
   */
  void fitCall(uint64_t usedNs) {
    if (usedNs > kCallNs && callBytes > 0) callBytesMax = std::max(kCallBytesMin, size_t(callBytes * kCallNs / usedNs));
    else if (callBytes >= callBytesMax) callBytesMax = std::min(2 * callBytesMax, kBodyReadBytes);
    callBytes = 0;
  }
};
