// A socket that uWebSockets.js polls, and what the guard knows of it.
#pragma once

#include <uv.h>

#include <string>
#include <utility>

#include "address.h"
#include "fair-queue.h"
#include "json-lines.h"
#include "request-framer.h"

/**
 * Bytes that uWebSockets.js is given in one call: at the beginning, and at least. They grow and shrink by the time that
 * a call takes.
 */
constexpr size_t kCallBytes = 16 * 1024;
constexpr size_t kCallBytesMin = 512;
/** Time that a call into uWebSockets.js should take at most. */
constexpr uint64_t kCallNs = 1'000'000;

struct Connection : Fair {
  /** `Paused`: its answer is being made. `WatchingEnd`: so too, but the end of the connection is to be seen. */
  enum class Reading : uint8_t { Open, Paused, WatchingEnd };

  Connection(int descriptor, uv_poll_t *poll, uv_poll_cb dispatch, bool listens, std::string from, bool isLocal)
      : fd(descriptor), handle(poll), callback(dispatch), isListening(listens), address(std::move(from)), framer(isLocal) {}

  const int fd;
  uv_poll_t *const handle;
  /** uWebSockets.js's own. */
  const uv_poll_cb callback;
  const bool isListening;
  const std::string address;
  Client<Connection> *client = nullptr;
  Reading reading = Reading::Open;
  /** Events that uWebSockets.js asks for. */
  int wanted = 0;
  /** The system reports events once, at their edge: bytes or an end have come that are not read yet. */
  bool isEdgeTriggered = false;
  bool isReadable = false;
  /** The client has closed its side, or both are. */
  bool hasEnded = false;
  /** Nothing can be sent any more: answers are dropped, and uWebSockets.js sees an error at once. */
  bool isGone = false;
  /** The system does not take all that is sent. */
  bool isBlocked = false;
  bool isHandshaking = false;
  /** `rest` is the beginning of a message. */
  bool needsMore = false;
  size_t callBytesMax = kCallBytes;
  /** Bytes that the last call was given. */
  size_t callBytes = 0;
  /** By the event loop's clock. */
  uint64_t heardMs = 0;
  /** Is due to be kept open, and is: what uWebSockets.js sends meanwhile goes nowhere. */
  bool isKeptOpen = false;
  bool isSilenced = false;
  RequestFramer framer;
  /** Lines of a connection that speaks bare JSON. */
  JsonLines lines;
  Buffer rest;
  /** Answers that wait for those of further messages; uWebSockets.js takes them for sent. */
  Buffer answers;

  /** The next message is there. */
  bool hasNext() const { return !rest.empty() && !needsMore; }
  /** Something is there to be passed on without reading. */
  bool hasMore() const { return hasNext() || framer.owesPong() || framer.isClosed(); }
  /** Between two requests, nothing of the next one is there. */
  bool isIdle() const { return reading == Reading::Open && rest.empty() && framer.isBetween() && !isReadable && !isBlocked; }
  bool isHeard() const { return reading == Reading::Open && (!isBlocked || framer.isWebSocket()) && !framer.isEnded(); }
  bool isDue() const {
    if (isGone || isKeptOpen) return true;
    return reading == Reading::WatchingEnd ? hasEnded : isHeard() && (isReadable || hasMore());
  }

  /**
   * Fits the bytes of the next call to the time that the last one took: a bound that no belief about the bytes can
   * lift.
   */
  void fitCall(uint64_t usedNs) {
    if (usedNs > kCallNs && callBytes > 0) callBytesMax = std::max(kCallBytesMin, size_t(callBytes * kCallNs / usedNs));
    else if (callBytes >= callBytesMax) callBytesMax = std::min(2 * callBytesMax, kBodyReadBytes);
    callBytes = 0;
  }
};
