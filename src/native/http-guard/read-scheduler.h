// The HTTP guard between the operating system and uWebSockets.js. It decides which connection is served next, and which
// bytes uWebSockets.js gets.
//
// Without the guard, uWebSockets.js reads from a connection as soon as it is readable, reads everything that has
// arrived, and serves all of it at once. With the guard, readable connections wait in a queue; each time a connection
// is served, one message or a part of one is passed on. A tick of the event loop ends when its time is used up, however
// many connections are waiting. Unread bytes stay in the operating system's socket buffers, whose sizes are limited.
// While a response is being built or cannot be sent, nothing more is read from its connection, so clients may pipeline
// any number of requests. The responses of a tick are sent together. Runs only on the main thread. See DECISIONS.md.
#pragma once

#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>
#include <new>
#include <vector>

#include "connection.h"
#include "read-spin.h"
#include "tick-cpu-budget.h"

/**
 * Size that is requested for a socket's receive buffer; Linux doubles it. Without a request, the buffer would grow to
 * some 6 MB.
 */
constexpr int kReceiveBufferBytes = 128 * 1024;
/** Maximum number of reads that discard the bytes after a refused request. */
constexpr int kDiscardsMax = 8;
/**
 * Maximum number of pipelined messages of a connection that are served in a row; after kMessagesNs no more are served.
 */
constexpr int kMessagesMax = 32;
constexpr uint64_t kMessagesNs = 500'000;
/**
 * Maximum time in nanoseconds for which responses are buffered to be sent together, and maximum bytes that are buffered
 * for one connection.
 */
constexpr uint64_t kGatherNs = 500'000;
constexpr size_t kAnswersBytesMax = 16 * 1024;
/** Maximum bytes of a connection that wait to be passed on: an incomplete request head plus the bytes of one read. */
constexpr size_t kRestBytesMax = kHeadBytesMax + kReadBytes;
/** Maximum number of connections that are accepted in one event-loop tick. */
constexpr int kAcceptsMax = 64;
/** Length of the pause in which no connections are accepted, after the process had no file descriptors left. */
constexpr uint64_t kAcceptPauseMs = 100;
/**
 * If file descriptors run out, connections that have been idle for at least kIdleMs are closed, at most kIdleClosedMax
 * at a time.
 */
constexpr uint64_t kIdleMs = 10'000;
constexpr int kIdleClosedMax = 64;

/**
 * uWebSockets.js closes a connection after 32 s of silence, whatever its options are. To keep a connection open for
 * longer, the guard passes it this request from time to time, and drops the response.
 */
constexpr char kKeepOpenRequest[] = "GET /!open HTTP/1.1\r\nhost: -\r\n\r\n";
constexpr uint64_t kKeepOpenMs = 12'000;
constexpr uint64_t kUwsIdleMs = 32'000;

/** Counters of the guard, for tests and metrics. */
struct GuardCounts {
  /** Largest number of bytes that uWebSockets.js got in one read. */
  size_t readBytesMax = 0;
  /** Number of event-loop ticks that ended while connections were still waiting. */
  uint64_t fullTurns = 0;
  /** Number of pauses in which no connection was accepted, because the process had no file descriptors left. */
  uint64_t acceptPauses = 0;
  /** Number of connections that were refused, because all connections together would have buffered too many bytes. */
  uint64_t bufferRefusals = 0;
};

/** What JavaScript can see of the request that uWebSockets.js is handling; see src/http/guard-parsed-request.ts. */
struct GuardParsedRequest {
  /** The client's number; see Client::id. */
  uint32_t client = 0;
  /**
   * Start and end of the body in the receive buffer. Both are 0 if the body is not complete, or if a header field
   * decides how it is read; see RequestHead::isPlain.
   */
  uint32_t bodyStart = 0, bodyEnd = 0;
};

class ReadScheduler {
 public:
  GuardCounts counts;
  GuardParsedRequest served;
  /** The buffer into which uWebSockets.js reads from all connections. */
  Span receiveBuffer;

  /** Starts the guard. Must be called once. */
  void open(uv_loop_t *loop, uint64_t turnNs, uint64_t idleMs, size_t buffersBytesMax) {
    loop_ = loop;
    idleMs_ = idleMs;
    turnNs_ = turnNs;
    buffersBytesMax_ = buffersBytesMax;
    uv_check_init(loop, &check_);
    uv_check_start(&check_, [](uv_check_t *) { guard().turn(); });
    uv_idle_init(loop, &idle_);
    uv_timer_init(loop, &acceptTimer_);
    uv_timer_init(loop, &keepOpenTimer_);
    uv_timer_start(&keepOpenTimer_, [](uv_timer_t *) { guard().keepOpen(); }, kKeepOpenMs, kKeepOpenMs);
    uv_unref(reinterpret_cast<uv_handle_t *>(&check_));
    uv_unref(reinterpret_cast<uv_handle_t *>(&idle_));
    uv_unref(reinterpret_cast<uv_handle_t *>(&acceptTimer_));
    uv_unref(reinterpret_cast<uv_handle_t *>(&keepOpenTimer_));
  }

  bool isOpen() const { return loop_ != nullptr; }

  static ReadScheduler &guard() {
    static ReadScheduler *const only = new ReadScheduler();
    return *only;
  }

  // Replacements of the system and libuv functions that uWebSockets.js calls.

  static int pollStart(uv_poll_t *handle, int events, uv_poll_cb callback) {
    Connection *known = guard().find(handle);
    if (known != nullptr && !known->isListening) return guard().want(*known, events);
    if (known == nullptr) known = guard().remember(handle, callback);
    if (known == nullptr) return UV_ENOMEM;
    known->wanted = events;
    if (known->isListening) return uv_poll_start(handle, events, onAccept);
    // Requests all events that will ever be needed, so that libuv does not change them later. A new socket is writable,
    // so the first event comes at once.
    return uv_poll_start(handle, UV_READABLE | UV_WRITABLE | UV_DISCONNECT, onEvent);
  }

  static int pollStop(uv_poll_t *handle) {
    guard().forget(guard().find(handle));
    return uv_poll_stop(handle);
  }

  static ssize_t receive(int fd, void *buffer, size_t size, int flags) {
    // Only `serve` sets it, so that no handler can see the body of an earlier request.
    guard().served.bodyStart = guard().served.bodyEnd = 0;
    Connection *connection = guard().find(fd);
    if (connection == nullptr) return ::recv(fd, buffer, size, flags);
    if (size < kStepBytesMax) return errno = EMSGSIZE, -1;
    if (connection->isSilenced)
      return memcpy(buffer, kKeepOpenRequest, sizeof kKeepOpenRequest - 1), sizeof kKeepOpenRequest - 1;
    if (connection->reading == Connection::Reading::WatchingEnd)
      return connection->hasEnded ? 0 : (errno = EAGAIN, -1);
    const ssize_t count = guard().read(*connection, static_cast<uint8_t *>(buffer));
    guard().serve(*connection, {static_cast<const uint8_t *>(buffer), size}, count);
    if (count > 0) connection->callBytes = count;
    if (count > 0 && size_t(count) > guard().counts.readBytesMax) guard().counts.readBytesMax = count;
    return count;
  }

  static ssize_t send(int fd, const void *bytes, size_t size, int flags) {
    const Span answer{static_cast<const uint8_t *>(bytes), size};
    Connection *connection = guard().find(fd);
    if (connection == nullptr) return ::send(fd, bytes, size, flags);
    if (connection->isSilenced) return size;
    if (guard().gather(*connection, answer)) return size;
    if (!guard().flush(*connection)) return errno = EAGAIN, -1;
    if (connection->isGone) return size;
    const ssize_t sent = connection->framer.isBare()
        ? connection->lines.send(fd, answer)
        : ::send(fd, bytes, size, flags);
    return guard().sent(*connection, answer, size, sent);
  }

  static ssize_t sendParts(int fd, const iovec *parts, int count) {
    size_t size = 0;
    for (int i = 0; i < count; i++) size += parts[i].iov_len;
    Connection *connection = guard().find(fd);
    if (connection == nullptr) return ::writev(fd, parts, count);
    if (connection->isSilenced) return size;
    if (!guard().flush(*connection)) return errno = EAGAIN, -1;
    if (connection->isGone) return size;
    const ssize_t sent = connection->framer.isBare()
        ? connection->lines.send(fd, parts, count)
        : ::writev(fd, parts, count);
    return guard().sent(*connection, {}, size, sent);
  }

  static int shutdown(int fd, int how) {
    Connection *connection = guard().find(fd);
    if (connection != nullptr) guard().flush(*connection);
    return ::shutdown(fd, how);
  }

  static int accept(int fd, sockaddr *address, socklen_t *size, int flags) {
    if (guard().acceptsLeft_ == 0) return errno = EAGAIN, -1;
    guard().acceptsLeft_--;
    const int accepted = ::accept4(fd, address, size, flags);
    if (accepted < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM))
      guard().pauseAccepting();
    return accepted;
  }

 private:
  std::vector<Connection *> connections_;
  FairQueue<Connection> queue_;
  /** The connection that is being served; null if there is none, or if it was closed in the meantime. */
  Connection *heard_ = nullptr;
  uv_loop_t *loop_ = nullptr;
  uint64_t turnNs_ = 0;
  uint64_t idleMs_ = 0;
  size_t buffersBytesMax_ = 0;
  int acceptsLeft_ = 0;
  bool isInTurn_ = false;
  /** Number of connections that are not read because a response is being built. */
  int building_ = 0;
  /** File descriptors of the connections that have buffered responses. */
  std::vector<int> gathered_;
  ReadSpin spin_;
  uv_check_t check_;
  uv_idle_t idle_;
  uv_timer_t acceptTimer_;
  uv_timer_t keepOpenTimer_;
  uint8_t input_[kReadBytes];
  uint8_t output_[kStepBytesMax];

  Connection *find(int fd) const { return size_t(fd) < connections_.size() ? connections_[fd] : nullptr; }

  Connection *find(const uv_poll_t *handle) const {
    uv_os_fd_t fd;
    return uv_fileno(reinterpret_cast<const uv_handle_t *>(handle), &fd) == 0 ? find(fd) : nullptr;
  }

  Connection *remember(uv_poll_t *handle, uv_poll_cb callback) {
    uv_os_fd_t fd;
    if (uv_fileno(reinterpret_cast<const uv_handle_t *>(handle), &fd) != 0) return nullptr;
    int isListening = 0;
    socklen_t size = sizeof isListening;
    getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size);
    // Connections that are accepted from a listening socket inherit this option.
    if (isListening) setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &kReceiveBufferBytes, sizeof kReceiveBufferBytes);
    if (size_t(fd) >= connections_.size()) connections_.resize(fd + 1, nullptr);
    auto *connection =
        new (std::nothrow) Connection(fd, handle, callback, isListening != 0,
            isListening ? "" : addressOf(fd), isLocal(fd));
    if (connection == nullptr) return nullptr;
    if (!isListening) connection->client = queue_.enter(connection->address);
    connection->heardMs = uv_now(loop_);
    return connections_[fd] = connection;
  }

  void forget(Connection *connection) {
    if (connection == nullptr) return;
    connections_[connection->fd] = nullptr;
    if (heard_ == connection) heard_ = nullptr;
    flush(*connection);
    setReading(*connection, Connection::Reading::Open);
    if (!connection->isListening) queue_.leave(connection->address, connection);
    delete connection;
  }

  /**
   * Records the events that uWebSockets.js requests. They are not passed to libuv, which always polls for all events.
   */
  int want(Connection &connection, int events) {
    connection.wanted = events;
    if (!(events & UV_READABLE)) setReading(connection, Connection::Reading::Paused);
    else if (connection.reading == Connection::Reading::Paused)
      setReading(connection, Connection::Reading::WatchingEnd);
    schedule(connection);
    return 0;
  }

  /**
   * Sets the socket in libuv's epoll set to edge-triggered mode, and requests EPOLLOUT only while a send is blocked. So
   * no call of epoll_ctl is needed for each request, and an event is reported once, not in each tick. libuv would undo
   * this only if other events were requested from it, which never happens.
   */
  void listenAtEdges(const Connection &connection) {
    epoll_event event{};
    event.events = EPOLLIN | EPOLLRDHUP | EPOLLET | (connection.isBlocked ? uint32_t(EPOLLOUT) : 0);
    event.data.fd = connection.fd;
    epoll_ctl(uv_backend_fd(loop_), EPOLL_CTL_MOD, connection.fd, &event);
  }

  static void onEvent(uv_poll_t *handle, int status, int events) {
    Connection *connection = guard().find(handle);
    if (connection != nullptr) guard().note(*connection, status, events);
  }

  void note(Connection &connection, int status, int events) {
    if (!connection.isEdgeTriggered) connection.isEdgeTriggered = true, listenAtEdges(connection);
    // After an error libuv reports no more events. If the connection is being read, its arrived bytes are read first.
    if (status < 0 && (!connection.isHeard() || connection.isBlocked)) connection.isGone = true;
    if (status < 0 || events & (UV_READABLE | UV_DISCONNECT)) connection.isReadable = true;
    if (status < 0 || events & UV_DISCONNECT) connection.hasEnded = true;
    if (!(events & UV_WRITABLE) || !connection.isBlocked) return schedule(connection);
    setBlocked(connection, false);
    if (flush(connection) && connection.wanted & UV_WRITABLE) {
      const int fd = connection.fd;
      connection.callback(connection.handle, 0, UV_WRITABLE);
      if (find(fd) != &connection) return;
    }
    schedule(connection);
  }

  void setBlocked(Connection &connection, bool isBlocked) {
    if (connection.isBlocked == isBlocked) return;
    connection.isBlocked = isBlocked;
    if (connection.isEdgeTriggered) listenAtEdges(connection);
  }

  /** Queues the connection if it must be served: it has bytes to read or to pass on, or has ended. */
  void schedule(Connection &connection) {
    if (connection.isQueued || &connection == heard_ || !connection.isDue()) return;
    queue_.add(&connection);
    stayAwake();
  }

  /**
   * Prevents the event loop from sleeping before the next tick: an active idle handle makes libuv poll without waiting.
   */
  void stayAwake() { uv_idle_start(&idle_, [](uv_idle_t *) {}); }

  /** Serves connections one after another, until the time of this event-loop tick is used up. */
  void turn() {
    if (queue_.empty()) {
      if (!spin_.isOn(uv_hrtime())) uv_idle_stop(&idle_);
      return;
    }
    spin_.arrived();
    TickCpuBudget budget(turnNs_, queue_.hasSeveral());
    uint64_t nowNs = uv_hrtime(), sentNs = nowNs;
    isInTurn_ = true;
    do {
      nowNs = serveNext(nowNs);
      if (nowNs - sentNs > kGatherNs) sendGathered(), sentNs = nowNs;
    } while (!queue_.empty() && !budget.isSpent(nowNs));
    const bool isAnswered = !gathered_.empty();
    sendGathered();
    isInTurn_ = false;
    if (!queue_.empty()) counts.fullTurns++;
    else if (!isAnswered || building_ > 0 || !spin_.answered(nowNs)) uv_idle_stop(&idle_);
  }

  /** Serves the next connection in the queue. `startNs` is the time before, the result the time afterwards. */
  uint64_t serveNext(uint64_t startNs) {
    Connection *connection = queue_.next();
    heard_ = connection;
    served.client = connection->client->id;
    if (connection->isDue()) hear(*connection, startNs);
    const uint64_t nowNs = uv_hrtime();
    connection = heard_;
    heard_ = nullptr;
    queue_.charge(connection, nowNs - startNs);
    if (connection != nullptr) schedule(*connection);
    return nowNs;
  }

  /**
   * Passes the next messages of a connection to uWebSockets.js. If the connection is closed in the meantime, `heard_`
   * is null afterwards, and `connection` must not be used.
   */
  void hear(Connection &connection, uint64_t startNs) {
    if (connection.isKeptOpen && passKeepOpen(connection)) return;
    connection.heardMs = uv_now(loop_);
    if (connection.isGone) return connection.callback(connection.handle, UV_ECONNRESET, 0);
    uint64_t callNs = startNs;
    for (int i = 0; i < kMessagesMax; i++) {
      connection.callback(connection.handle, 0, UV_READABLE);
      if (heard_ == nullptr) return;
      const uint64_t nowNs = uv_hrtime();
      connection.fitCall(nowNs - callNs);
      callNs = nowNs;
      if (!connection.isHeard() || !connection.hasNext() || connection.framer.isWebSocket()) break;
      if (nowNs - startNs > kMessagesNs) break;
    }
  }

  /**
   * Schedules the dummy request for each connection that has been idle for kKeepOpenMs, unless its idle time-out
   * (`idleMs_`) is near.
   */
  void keepOpen() {
    const uint64_t nowMs = uv_now(loop_);
    for (Connection *each : connections_) {
      if (each == nullptr || each->isListening || !each->isIdle()) continue;
      const uint64_t silentMs = nowMs - each->heardMs;
      each->isKeptOpen = silentMs >= kKeepOpenMs && silentMs + kUwsIdleMs < idleMs_;
      schedule(*each);
    }
  }

  /**
   * Passes the dummy request that keeps the connection open to uWebSockets.js. Returns false if it was not passed,
   * because the connection is no longer idle or is gone.
   */
  bool passKeepOpen(Connection &connection) {
    connection.isKeptOpen = false;
    if (connection.isGone || !connection.isIdle()) return false;
    connection.isSilenced = true;
    connection.callback(connection.handle, 0, UV_READABLE);
    if (heard_ != nullptr) connection.isSilenced = false;
    return true;
  }

  /**
   * Records for JavaScript where the body is in the receive buffer, if a complete request with a plain head is passed
   * on; see RequestHead::isPlain.
   */
  void serve(const Connection &connection, Span buffer, ssize_t count) {
    const size_t bodyBytes = connection.framer.plainBodyBytes();
    // If the bytes are not longer than the body, they do not contain the head, which was passed on before.
    const bool isComplete = count > 0 && bodyBytes > 0 && bodyBytes < size_t(count);
    receiveBuffer = buffer;
    if (isComplete) served.bodyStart = uint32_t(count - bodyBytes), served.bodyEnd = uint32_t(count);
  }

  /** Writes the next message, or a part of it, to `buffer`. The result and errno are like those of recv(2). */
  ssize_t read(Connection &connection, uint8_t *buffer) {
    RequestFramer &framer = connection.framer;
    if (framer.isClosed()) return 0;
    if (framer.bodyLeft() > 0 && connection.rest.empty()) return readBody(connection, buffer);
    Span in = connection.rest.span();
    const bool isFresh = in.size == 0;
    if (!connection.hasMore()) {
      uint8_t *to = isFresh ? buffer : input_;
      const ssize_t count = receiveNow(connection, to, kReadBytes);
      if (count == 0 && !isClosedBothWays(connection.fd)) return framer.end(buffer);
      if (count <= 0) return count;
      in = {to, size_t(count)};
      if (!isFresh && !keep(connection, in)) return refuse(connection, buffer);
      if (!isFresh) in = connection.rest.span();
    }
    const RequestFramer::Step step = framer.step(in, output_, connection.callBytesMax);
    if (isFresh && !keep(connection, {in.at + step.taken, in.size - step.taken})) return refuse(connection, buffer);
    return passOn(connection, step, isFresh, buffer);
  }

  /**
   * Buffers bytes that are not passed on yet. Returns false if a limit would be exceeded: that of this connection, or
   * that of all connections together.
   */
  bool keep(Connection &connection, Span bytes) {
    if (bytes.size > 0 && Buffer::allocatedBytes() + bytes.size > buffersBytesMax_) return false;
    return connection.rest.append(bytes, kRestBytesMax);
  }

  /**
   * Handles a lack of buffer memory: refuses the request whose head is being read with 503; otherwise closes the
   * connection.
   */
  ssize_t refuse(Connection &connection, uint8_t *buffer) {
    counts.bufferRefusals++;
    connection.rest.clear();
    if (!connection.framer.isInHead()) return errno = ENOMEM, -1;
    return passOn(connection, connection.framer.refuse(503, 0, output_), true, buffer);
  }

  ssize_t passOn(Connection &connection, const RequestFramer::Step &step, bool isFresh, uint8_t *buffer) {
    if (step.made.size > 0 && step.made.at != buffer) memmove(buffer, step.made.at, step.made.size);
    if (!isFresh) connection.rest.take(step.taken);
    const ssize_t made = step.made.size;
    connection.needsMore = made == 0;
    connection.isHandshaking = step.isWhole && connection.framer.isHandshake();
    if (connection.framer.isRefused()) discard(connection.fd);
    if (made == 0) return errno = EAGAIN, -1;
    if (connection.framer.bodyLeft() == 0 || !connection.rest.empty() || !connection.isReadable) return made;
    const ssize_t more = readBody(connection, buffer + made);
    return made + (more > 0 ? more : 0);
  }

  /**
   * Reads from the socket. If it returns fewer bytes than requested, it has no more, and epoll will report the next
   * ones.
   */
  ssize_t receiveNow(Connection &connection, uint8_t *to, size_t size) {
    const ssize_t count = ::recv(connection.fd, to, size, 0);
    connection.isReadable = count > 0 && (size_t(count) == size || connection.hasEnded);
    return count;
  }

  /**
   * True if both sides of the connection are closed (POLLHUP) or it is broken, not if only the client's side is closed.
   */
  static bool isClosedBothWays(int fd) {
    pollfd look{fd, 0, 0};
    return ::poll(&look, 1, 0) > 0;
  }

  /**
   * Reads and discards the bytes after a refused request. If a connection is closed while it has unread bytes, the
   * system resets it, and the client might not get the response.
   */
  void discard(int fd) {
    for (int i = 0; i < kDiscardsMax && ::recv(fd, input_, sizeof input_, 0) > 0; i++) continue;
  }

  ssize_t readBody(Connection &connection, uint8_t *buffer) {
    const uint64_t left = connection.framer.bodyLeft();
    const ssize_t count = receiveNow(connection, buffer,
        left < connection.callBytesMax ? left : connection.callBytesMax);
    if (count > 0) connection.framer.passBody(count);
    return count;
  }

  /**
   * Buffers a response, to be sent together with others in this tick. Returns false if it must be sent at once instead.
   */
  bool gather(Connection &connection, Span answer) {
    if (!isInTurn_ || connection.isBlocked || connection.isHandshaking) return false;
    if (connection.framer.isWebSocket() || connection.framer.isBare()) return false;
    if (connection.answers.empty()) gathered_.push_back(connection.fd);
    if (!connection.answers.append(answer, kAnswersBytesMax)) return false;
    answered(connection);
    return true;
  }

  /** Sends the buffered responses of all connections, except those that were closed in the meantime. */
  void sendGathered() {
    for (const int fd : gathered_) {
      Connection *connection = find(fd);
      if (connection != nullptr) flush(*connection);
    }
    gathered_.clear();
  }

  /** Sends the buffered responses of a connection. Returns false if the system does not accept all bytes. */
  bool flush(Connection &connection) {
    if (connection.answers.empty()) return true;
    const ssize_t count = ::send(connection.fd, connection.answers.data(), connection.answers.size(), MSG_NOSIGNAL);
    if (count < 0 && !isLater(errno)) giveUp(connection);
    if (count > 0) connection.answers.take(count);
    setBlocked(connection, !connection.answers.empty());
    return connection.answers.empty();
  }

  /**
   * Handles the result of a send: `count` of `size` bytes were accepted, or -1. Returns the result for uWebSockets.js.
   */
  ssize_t sent(Connection &connection, Span answer, size_t size, ssize_t count) {
    if (count < 0 && !isLater(errno)) return giveUp(connection), size;
    if (connection.isHandshaking && startsWith(answer, "http/1.1 101")) connection.framer.upgrade();
    connection.isHandshaking = false;
    if (connection.lines.takePing()) connection.framer.pinged();
    if (connection.lines.isClosed()) connection.framer.close();
    const int error = errno;
    setBlocked(connection, count < ssize_t(size));
    answered(connection);
    return errno = error, count;
  }

  static bool isLater(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

  /**
   * Handles a connection that is broken or must be closed. Its responses are dropped, and uWebSockets.js gets an error
   * when the connection is served next.
   */
  void giveUp(Connection &connection) {
    connection.isGone = true;
    connection.answers.clear();
    schedule(connection);
  }

  void answered(Connection &connection) {
    if (connection.reading == Connection::Reading::WatchingEnd) {
      setReading(connection, Connection::Reading::Open);
      if (!isInTurn_ && building_ == 0 && spin_.answered(uv_hrtime())) stayAwake();
    }
    schedule(connection);
  }

  void setReading(Connection &connection, Connection::Reading reading) {
    building_ += int(reading != Connection::Reading::Open) - int(connection.reading != Connection::Reading::Open);
    connection.reading = reading;
  }

  static void onAccept(uv_poll_t *handle, int status, int events) {
    guard().acceptsLeft_ = kAcceptsMax;
    Connection *connection = guard().find(handle);
    if (connection != nullptr) connection->callback(handle, status, events);
  }

  /**
   * Stops accepting connections for kAcceptPauseMs, because there are no free file descriptors. New connections wait in
   * the system's backlog.
   */
  void pauseAccepting() {
    counts.acceptPauses++;
    acceptsLeft_ = 0;
    for (Connection *each : connections_)
      if (each != nullptr && each->isListening) uv_poll_stop(each->handle);
    closeIdle();
    uv_timer_start(&acceptTimer_, [](uv_timer_t *) { guard().acceptAgain(); }, kAcceptPauseMs, 0);
  }

  /**
   * Closes idle connections to free file descriptors. WebSockets are never closed, because they may wait for events.
   */
  void closeIdle() {
    int closed = 0;
    for (Connection *each : connections_) {
      if (each == nullptr || each->isListening || each->framer.isWebSocket() || !each->isHeard()) continue;
      if (uv_now(loop_) - each->heardMs < kIdleMs || closed++ >= kIdleClosedMax) continue;
      giveUp(*each);
    }
  }

  void acceptAgain() {
    for (Connection *each : connections_)
      if (each != nullptr && each->isListening) uv_poll_start(each->handle, each->wanted, onAccept);
  }
};
