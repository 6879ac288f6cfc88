// Parses the head of a request line by line, as RFC 9112 requires, or finds the HTTP status with which it is refused.
// The result decides where the request ends and whether its connection is upgraded or closed. Everything that could
// make uWebSockets.js decide differently is removed from the head that it gets. The reference implementation is
// test/http/guard/judge/head.ts.
#pragma once

#include "connection-buffer.h"

/**
 * Maximum bytes and maximum number of fields of a request head. They are large because browsers send the cookies of all
 * programs on localhost, and proxies add header fields.
 */
constexpr size_t kHeadBytesMax = 32 * 1024;
constexpr uint32_t kFieldsMax = 150;
/**
 * Maximum number of header fields that uWebSockets.js can store. If a request has more, uWebSockets.js gets only those
 * that a route may read.
 */
constexpr uint32_t kFieldsPassedMax = 96;
/**
 * Maximum number of digits in a Content-Length. Every number with this many digits can be represented exactly as a
 * double.
 */
constexpr size_t kLengthDigitsMax = 15;
/** Maximum number of bytes by which a rewritten head is longer than the original. */
constexpr size_t kRewrittenMore = 64;

/** True if the byte may be in a token (RFC 9110, section 5.6.2). */
inline bool isTokenByte(uint8_t byte) {
  if ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9')) return true;
  return byte != 0 && strchr("!#$%&'*+-.^_`|~", byte) != nullptr;
}

/** True if the byte may be in a field value (RFC 9110, section 5.5): a tab, or anything except control characters. */
inline bool isValueByte(uint8_t byte) { return byte == '\t' || (byte >= 0x20 && byte != 0x7f); }

inline bool areValueBytes(Span span) {
  for (size_t i = 0; i < span.size; i++)
    if (!isValueByte(span.at[i])) return false;
  return true;
}

inline uint8_t lower(uint8_t byte) { return byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte; }

/** True if the span starts with `text`, ignoring case. `text` must be in lower case. */
inline bool startsWith(Span span, const char *text) {
  const size_t size = strlen(text);
  if (span.size < size) return false;
  for (size_t i = 0; i < size; i++)
    if (lower(span.at[i]) != uint8_t(text[i])) return false;
  return true;
}

inline bool isText(Span span, const char *text) { return span.size == strlen(text) && startsWith(span, text); }

/** Returns the part of the span before the first `byte`, or the whole span if there is none. */
inline Span before(Span span, uint8_t byte) {
  const auto *found = span.size == 0 ? nullptr : static_cast<const uint8_t *>(memchr(span.at, byte, span.size));
  return found == nullptr ? span : Span{span.at, size_t(found - span.at)};
}

inline Span behind(Span span, size_t count) { return {span.at + count, span.size - count}; }

inline Span trimmed(Span span) {
  while (span.size > 0 && (*span.at == ' ' || *span.at == '\t')) span = behind(span, 1);
  while (span.size > 0 && (span.at[span.size - 1] == ' ' || span.at[span.size - 1] == '\t')) span.size--;
  return span;
}

/**
 * True if a comma-separated list (RFC 9110, section 5.6.1) contains `element`, ignoring case. `element` must be in
 * lower case.
 */
inline bool hasElement(Span list, const char *element) {
  while (list.size > 0) {
    const Span first = before(list, ',');
    if (isText(trimmed(first), element)) return true;
    list = behind(list, first.size < list.size ? first.size + 1 : first.size);
  }
  return false;
}

/** True if the value is the base64 form of 16 bytes, as a Sec-WebSocket-Key must be (RFC 6455, section 4.1). */
inline bool isWebSocketKey(Span value) {
  if (value.size != 24 || value.at[22] != '=' || value.at[23] != '=') return false;
  for (size_t i = 0; i < 22; i++) {
    const uint8_t byte = value.at[i], letter = lower(byte);
    const bool isAlphanumeric = (letter >= 'a' && letter <= 'z') || (byte >= '0' && byte <= '9');
    if (!isAlphanumeric && byte != '+' && byte != '/') return false;
  }
  return true;
}

/**
 * True if some route may read this header field. Proxies name the client in fields that start with `x-forwarded-` or
 * `x-real-` or end with `-ip`.
 */
inline bool isRead(Span name) {
  for (const char *known : {"host", "connection", "upgrade", "expect", "origin", "accept", "forwarded"})
    if (isText(name, known)) return true;
  for (const char *kind : {"content-", "transfer-", "access-control-", "sec-websocket-", "x-least-",
      "x-forwarded-", "x-real-"})
    if (startsWith(name, kind)) return true;
  return name.size > 3 && isText(behind(name, name.size - 3), "-ip");
}

/** The three parts of the request line. */
struct RequestLine {
  Span method, target, version;

  explicit RequestLine(Span line) {
    method = before(line, ' ');
    if (method.size == line.size) return;
    const Span rest = behind(line, method.size + 1);
    target = before(rest, ' ');
    if (target.size < rest.size) version = behind(rest, target.size + 1);
  }

  /** Returns the HTTP status with which the request line is refused, or 0. */
  int fault() const {
    for (size_t i = 0; i < target.size; i++)
      if (target.at[i] <= 0x20 || target.at[i] == 0x7f) return 400;
    for (size_t i = 0; i < method.size; i++)
      if (!isTokenByte(method.at[i])) return 400;
    if (method.size == 0 || !isVersion()) return 400;
    if (!is(version, "HTTP/1.1") && !is(version, "HTTP/1.0")) return 505;
    for (const char *known : {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"})
      if (is(method, known)) return isTarget() ? 0 : 400;
    return 501;
  }

  bool isOld() const { return is(version, "HTTP/1.0"); }
  bool isGet() const { return is(method, "GET"); }
  bool isOrigin() const { return target.size > 0 && target.at[0] == '/'; }

  /**
   * Returns the path and query of the request target: an absolute target (RFC 9112, section 3.2.2) without scheme and
   * host, nothing for the target `*`.
   */
  Span path() const {
    if (isOrigin()) return target;
    if (is(target, "*")) return {};
    Span rest = behind(target, schemeSize());
    while (rest.size > 0 && *rest.at != '/' && *rest.at != '?') rest = behind(rest, 1);
    return rest;
  }

 private:
  static bool is(Span span, const char *text) {
    return span.size == strlen(text) && memcmp(span.at, text, span.size) == 0;
  }

  bool isVersion() const {
    const auto isDigit = [](uint8_t byte) { return byte >= '0' && byte <= '9'; };
    return version.size == 8 && memcmp(version.at, "HTTP/", 5) == 0 && isDigit(version.at[5]) && version.at[6] == '.' &&
           isDigit(version.at[7]);
  }

  size_t schemeSize() const { return startsWith(target, "http://") ? 7 : startsWith(target, "https://") ? 8 : 0; }

  bool isTarget() const {
    if (isOrigin()) return true;
    if (is(target, "*")) return is(method, "OPTIONS");
    const Span rest = behind(target, schemeSize());
    return schemeSize() > 0 && rest.size > 0 && *rest.at != '/' && *rest.at != '?';
  }
};

/** What is known of a request head from the lines that were parsed so far. */
class RequestHead {
 public:
  /** How the end of the request body is determined. */
  enum class Body : uint8_t { None, Length, Chunks };

  /**
   * Parses one line without its line end; the first line is the request line. Returns the HTTP status with which the
   * head is refused, or 0.
   */
  int take(Span line) {
    if (isBegun_) return field(line);
    const RequestLine request(line);
    isBegun_ = true;
    isOld_ = request.isOld();
    isGet_ = request.isGet();
    isRewritten_ = isOld_ || !request.isOrigin();
    return request.fault();
  }

  /**
   * Must be called at the empty line that ends the head. Returns the HTTP status with which the head is refused, or 0.
   */
  int end() const {
    if (hosts_ > 1 || (hosts_ == 0 && !isOld_)) return 400;
    if (lengths_ + codings_ > 1 || (isOld_ && codings_ > 0)) return 400;
    return isHandshake() ? handshakeFault() : 0;
  }

  bool isBegun() const { return isBegun_; }
  /**
   * True if the body of a POST can be read without looking at the header fields: Content-Type is exactly
   * `application/json`, and there is no Origin, Content-Encoding or X-Least-Block.
   */
  bool isPlain() const { return types_ == 1 && isJson_ && !hasSpecialFields_; }
  Body body() const { return codings_ > 0 ? Body::Chunks : length_ > 0 ? Body::Length : Body::None; }
  uint64_t length() const { return length_; }
  /**
   * True if the request is a WebSocket handshake (RFC 6455, section 4.2.1): Upgrade contains `websocket`, and
   * Connection contains `upgrade`.
   */
  bool isHandshake() const { return isGet_ && !isOld_ && isUpgrade_ && isUpgradeNamed_; }
  /**
   * True if uWebSockets.js must get a changed head. Its parser needs HTTP/1.1, a path as the target, transfer codings
   * in lower case, and no Expect in a handshake. A Sec-WebSocket-Key outside a handshake is left out, because the
   * parser would treat the request as a handshake. If there are many fields, those that no route reads are left out as
   * well.
   */
  bool isRewritten() const {
    return isRewritten_ || (keys_ > 0 && !isHandshake()) || (hasExpect_ && isHandshake()) || fields_ > kFieldsPassedMax;
  }

  /** Writes the complete head in a form that the parser accepts; returns its length. */
  size_t rewrite(Span head, uint8_t *out) const {
    uint8_t *to = out;
    Span line = before(head, '\r');
    const RequestLine request(line);
    const Span path = request.path();
    to = put(put(to, request.method), path.size > 0 && *path.at == '/' ? " " : " /");
    to = put(put(to, path), " HTTP/1.1\r\n");
    if (isOld_) to = put(to, hosts_ == 0 ? "connection: close\r\nhost: -\r\n" : "connection: close\r\n");
    for (Span rest = behind(head, line.size + 2); rest.size > 2; rest = behind(rest, line.size + 2)) {
      line = before(rest, '\r');
      const Span name = before(line, ':');
      if (isText(name, "transfer-encoding")) to = put(to, "transfer-encoding: chunked\r\n");
      else if (!isLeftOut(name)) to = put(to, {line.at, line.size + 2});
    }
    return put(to, "\r\n") - out;
  }

 private:
  bool isBegun_ = false, isOld_ = false, isGet_ = false, isRewritten_ = false, hasExpect_ = false;
  bool isUpgrade_ = false, isUpgradeNamed_ = false, isVersion13_ = false, isKeyValid_ = false;
  bool isJson_ = false, hasSpecialFields_ = false;
  uint32_t fields_ = 0, hosts_ = 0, lengths_ = 0, codings_ = 0, keys_ = 0, types_ = 0;
  uint64_t length_ = 0;

  /**
   * Returns the HTTP status with which a handshake is refused, or 0. A handshake must not have a body, because the
   * bytes after it are WebSocket frames.
   */
  int handshakeFault() const {
    if (body() != Body::None) return 400;
    if (!isVersion13_) return 426;
    return keys_ == 1 && isKeyValid_ ? 0 : 400;
  }

  bool isLeftOut(Span name) const {
    if (isText(name, "connection")) return isOld_;
    if (isText(name, "expect")) return isOld_ || isHandshake();
    if (isText(name, "sec-websocket-key")) return !isHandshake();
    return fields_ > kFieldsPassedMax && !isRead(name);
  }

  int field(Span line) {
    const Span name = before(line, ':');
    if (name.size == 0 || name.size == line.size) return 400;
    for (size_t i = 0; i < name.size; i++)
      if (!isTokenByte(name.at[i])) return 400;
    const Span value = trimmed(behind(line, name.size + 1));
    if (!areValueBytes(value)) return 400;
    return ++fields_ > kFieldsMax ? 431 : known(name, value);
  }

  /**
   * Handles the header fields that matter to the guard: they decide where the request ends, whether its head is
   * rewritten or plain, and whether it is a handshake. Returns the HTTP status of a refusal, or 0.
   */
  int known(Span name, Span value) {
    if (isText(name, "host")) return hosts_++, value.size == 0 ? 400 : 0;
    if (isText(name, "content-length")) return lengths_++, readLength(value);
    if (isText(name, "transfer-encoding")) {
      codings_++;
      isRewritten_ = isRewritten_ || value.size != 7 || memcmp(value.at, "chunked", 7) != 0;
      return isText(value, "chunked") ? 0 : 400;
    }
    if (isText(name, "content-type")) {
      types_++;
      isJson_ = value.size == 16 && memcmp(value.at, "application/json", 16) == 0;
    }
    if (isText(name, "origin") || isText(name, "content-encoding") || isText(name, "x-least-block"))
      hasSpecialFields_ = true;
    if (isText(name, "expect")) return hasExpect_ = true, isText(value, "100-continue") ? 0 : 417;
    if (isText(name, "connection")) isUpgradeNamed_ = isUpgradeNamed_ || hasElement(value, "upgrade");
    if (isText(name, "upgrade")) isUpgrade_ = isUpgrade_ || hasElement(value, "websocket");
    if (isText(name, "sec-websocket-version")) isVersion13_ = isText(value, "13");
    if (isText(name, "sec-websocket-key")) keys_++, isKeyValid_ = isWebSocketKey(value);
    return 0;
  }

  int readLength(Span digits) {
    if (digits.size == 0 || digits.size > kLengthDigitsMax) return 400;
    length_ = 0;
    for (size_t i = 0; i < digits.size; i++) {
      if (digits.at[i] < '0' || digits.at[i] > '9') return 400;
      length_ = length_ * 10 + (digits.at[i] - '0');
    }
    return 0;
  }

  static uint8_t *put(uint8_t *to, Span span) {
    if (span.size > 0) memcpy(to, span.at, span.size);
    return to + span.size;
  }

  static uint8_t *put(uint8_t *to, const char *text) {
    return put(to, Span{reinterpret_cast<const uint8_t *>(text), strlen(text)});
  }
};
