// The door between the system and uWebSockets.js: it says which connection is heard when, and which bytes it is given.
//
// uWebSockets.js reads from a connection as soon as it can be read, all that has come, and serves all of it at once. Here a
// connection that can be read waits for its turn, and each turn gives one message, or a part of one; a turn of the event loop ends
// after its budget of time, however many connections wait. Bytes not read stay in the kernel, whose buffers are bounded. While
// an answer is being made or cannot be sent nothing further is read, so that requests may come in one piece, in any number.
// Runs on main only.
#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <uv.h>

#include <cerrno>
#include <string>
#include <vector>

#include "address.h"
#include "bytes.h"
#include "lines.h"
#include "messages.h"
#include "turns.h"

/** The kernel keeps twice as much of what a client sends; windows of the system's own choice grow to some 6 MB. */
constexpr int kReceiveBufferBytes = 128 * 1024;
/** Reads by which what comes behind a refusal is thrown away. */
constexpr int kDiscardsMax = 8;
/** Messages of a pipeline that are heard one after the other, and the bytes of their answers that leave together. */
constexpr int kMessagesMax = 32;
constexpr size_t kAnswersBytesMax = 16 * 1024;
/** Connections that are accepted in a turn of the event loop. */
constexpr int kAcceptsMax = 64;
/** Pause of a listening socket when the process has no file descriptors left. */
constexpr uint64_t kAcceptPauseMs = 100;

/** A socket that uWebSockets.js polls. */
struct Connection {
  /** `Held`: its answer is being made. `Looking`: still, but the end of the connection is to be seen. */
  enum class Reading : uint8_t { Open, Held, Looking };

  Connection(int descriptor, uv_poll_t *poll, uv_poll_cb dispatch, bool listens, std::string from, bool isLocal)
      : fd(descriptor), handle(poll), callback(dispatch), isListening(listens), address(std::move(from)), messages(isLocal) {}

  const int fd;
  uv_poll_t *const handle;
  /** uWebSockets.js's own. */
  const uv_poll_cb callback;
  const bool isListening;
  const std::string address;
  Client *client = nullptr;
  Reading reading = Reading::Open;
  /** Events that uWebSockets.js asks for, and those for which the system is asked. */
  int wanted = 0;
  int armed = 0;
  /** The system is not asked whether it can be read: that is known, or of no use. */
  bool isMuted = false;
  bool isWaiting = false;
  /** The system does not take all that is sent. */
  bool isBlocked = false;
  bool isHandshaking = false;
  /** `rest` is the beginning of a message. */
  bool needsMore = false;
  Messages messages;
  /** Lines of a connection that speaks bare JSON. */
  Lines lines;
  Bytes rest;
  /** Answers that wait for those of further messages; uWebSockets.js takes them for sent. */
  Bytes answers;

  /** The next message is there. */
  bool hasNext() const { return !rest.empty() && !needsMore; }
  /** Something is there to be said without reading. */
  bool hasMore() const { return hasNext() || messages.owesPong() || messages.isClosed(); }
  bool isHeard() const { return reading == Reading::Open && (!isBlocked || messages.isWebSocket()) && !messages.isEnded(); }
};

/** Counts for tests and metrics. */
struct DoorCounts {
  /** The most bytes that uWebSockets.js was given at a time. */
  size_t readBytesMax = 0;
  /** Turns of the event loop that ended with connections waiting. */
  uint64_t fullTurns = 0;
  /** Times for which no connection was accepted, as the process had no file descriptors left. */
  uint64_t acceptPauses = 0;
};

class Door {
 public:
  DoorCounts counts;

  void open(uv_loop_t *loop, uint64_t budgetNs) {
    budgetNs_ = budgetNs;
    uv_check_init(loop, &check_);
    uv_check_start(&check_, [](uv_check_t *) { door().turn(); });
    uv_idle_init(loop, &idle_);
    uv_timer_init(loop, &acceptTimer_);
    uv_unref(reinterpret_cast<uv_handle_t *>(&check_));
    uv_unref(reinterpret_cast<uv_handle_t *>(&idle_));
    uv_unref(reinterpret_cast<uv_handle_t *>(&acceptTimer_));
  }

  static Door &door() {
    static Door *const only = new Door();
    return *only;
  }

  // The calls of uWebSockets.js.

  static int pollStart(uv_poll_t *handle, int events, uv_poll_cb callback) {
    Connection &connection = door().connectionOf(handle, callback);
    if (connection.isListening) return connection.wanted = events, uv_poll_start(handle, events, onAccept);
    connection.wanted = events;
    if (!(events & UV_READABLE)) connection.reading = Connection::Reading::Held;
    else if (connection.reading == Connection::Reading::Held) connection.reading = Connection::Reading::Looking;
    if (events & UV_READABLE) connection.isMuted = false;
    return door().arm(connection);
  }

  static int pollStop(uv_poll_t *handle) {
    door().forget(door().find(handle));
    return uv_poll_stop(handle);
  }

  static ssize_t receive(int fd, void *buffer, size_t size, int flags) {
    Connection *connection = door().find(fd);
    if (connection == nullptr) return ::recv(fd, buffer, size, flags);
    const bool isLooking = connection->reading == Connection::Reading::Looking;
    const ssize_t count = isLooking ? door().look(*connection) : door().read(*connection, static_cast<uint8_t *>(buffer));
    if (count > 0 && size_t(count) > door().counts.readBytesMax) door().counts.readBytesMax = count;
    return count;
  }

  static ssize_t send(int fd, const void *bytes, size_t size, int flags) {
    const Span answer{static_cast<const uint8_t *>(bytes), size};
    Connection *connection = door().find(fd);
    if (connection != nullptr && door().gather(*connection, answer)) return size;
    if (connection != nullptr && !door().flush(*connection)) return errno = EAGAIN, -1;
    const ssize_t sent = isBare(connection) ? connection->lines.send(fd, answer) : ::send(fd, bytes, size, flags);
    if (connection != nullptr) door().sent(*connection, answer, size, sent);
    return sent;
  }

  static ssize_t sendParts(int fd, const iovec *parts, int count) {
    size_t size = 0;
    for (int i = 0; i < count; i++) size += parts[i].iov_len;
    Connection *connection = door().find(fd);
    if (connection != nullptr && !door().flush(*connection)) return errno = EAGAIN, -1;
    const ssize_t sent = isBare(connection) ? connection->lines.send(fd, parts, count) : ::writev(fd, parts, count);
    if (connection != nullptr) door().sent(*connection, {}, size, sent);
    return sent;
  }

  static int shutdown(int fd, int how) {
    Connection *connection = door().find(fd);
    if (connection != nullptr) door().flush(*connection);
    return ::shutdown(fd, how);
  }

  static int accept(int fd, sockaddr *address, socklen_t *size, int flags) {
    if (door().acceptsLeft_ == 0) return errno = EAGAIN, -1;
    door().acceptsLeft_--;
    const int accepted = ::accept4(fd, address, size, flags);
    if (accepted < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)) door().pauseAccepting();
    return accepted;
  }

 private:
  std::vector<Connection *> connections_;
  Turns turns_;
  /** Null where the connection that is being heard was closed. */
  Connection *heard_ = nullptr;
  uint64_t budgetNs_ = 0;
  int acceptsLeft_ = 0;
  uv_check_t check_;
  uv_idle_t idle_;
  uv_timer_t acceptTimer_;
  uint8_t input_[kReadBytes];

  static bool isBare(const Connection *connection) { return connection != nullptr && connection->messages.isBare(); }

  Connection *find(int fd) const { return size_t(fd) < connections_.size() ? connections_[fd] : nullptr; }

  Connection *find(const uv_poll_t *handle) const {
    uv_os_fd_t fd;
    return uv_fileno(reinterpret_cast<const uv_handle_t *>(handle), &fd) == 0 ? find(fd) : nullptr;
  }

  Connection &connectionOf(uv_poll_t *handle, uv_poll_cb callback) {
    uv_os_fd_t fd = -1;
    uv_fileno(reinterpret_cast<const uv_handle_t *>(handle), &fd);
    Connection *known = find(fd);
    return known != nullptr ? *known : remember(fd, handle, callback);
  }

  Connection &remember(int fd, uv_poll_t *handle, uv_poll_cb callback) {
    int isListening = 0;
    socklen_t size = sizeof isListening;
    getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size);
    // Sockets that are accepted here inherit it.
    if (isListening) setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &kReceiveBufferBytes, sizeof kReceiveBufferBytes);
    if (size_t(fd) >= connections_.size()) connections_.resize(fd + 1, nullptr);
    auto *connection = new Connection(fd, handle, callback, isListening != 0, isListening ? "" : addressOf(fd), isLocal(fd));
    if (!isListening) connection->client = turns_.enter(connection->address);
    return *(connections_[fd] = connection);
  }

  void forget(Connection *connection) {
    if (connection == nullptr) return;
    connections_[connection->fd] = nullptr;
    if (heard_ == connection) heard_ = nullptr;
    flush(*connection);
    if (!connection->isListening) turns_.leave(connection->address, connection);
    delete connection;
  }

  /** Asks the system for the events that are of use now. A pause of uWebSockets.js asks for one that it has no use for. */
  int arm(Connection &connection) {
    const int wanted = connection.answers.empty() ? connection.wanted & UV_WRITABLE : UV_WRITABLE;
    const int events = (connection.isBlocked ? wanted : 0) | (connection.isMuted ? 0 : UV_READABLE);
    if (events == connection.armed) return 0;
    connection.armed = events;
    return uv_poll_start(connection.handle, events, onEvent);
  }

  void mute(Connection &connection, bool isMuted) {
    connection.isMuted = isMuted;
    arm(connection);
  }

  static void onEvent(uv_poll_t *handle, int status, int events) {
    Connection *connection = door().find(handle);
    if (connection == nullptr) return;
    if (status < 0) return connection->callback(handle, status, events);
    if (events & UV_WRITABLE && !connection->answers.empty() && door().flush(*connection) && connection->isHeard())
      door().hearOn(*connection);
    if (events & connection->wanted & UV_WRITABLE && connection->answers.empty()) {
      connection->callback(handle, 0, UV_WRITABLE);
      connection = door().find(handle);
    }
    if (connection != nullptr && events & UV_READABLE) door().canBeRead(*connection);
  }

  void canBeRead(Connection &connection) {
    const bool isOfUse = connection.isHeard() || connection.reading == Connection::Reading::Looking;
    if (isOfUse && !connection.isWaiting) enqueue(connection);
    else mute(connection, true);
  }

  void enqueue(Connection &connection) {
    connection.isWaiting = true;
    turns_.add(connection.client, &connection);
    // The event loop does not sleep before the turn.
    uv_idle_start(&idle_, [](uv_idle_t *) {});
  }

  /** Lets the connections be heard for as long as the budget lasts. */
  void turn() {
    const uint64_t endNs = uv_hrtime() + budgetNs_;
    Connection *connection;
    while ((connection = turns_.next()) != nullptr) {
      connection->isWaiting = false;
      hear(*connection);
      if (uv_hrtime() > endNs) break;
    }
    if (turns_.empty()) uv_idle_stop(&idle_);
    else counts.fullTurns++;
  }

  void hear(Connection &connection) {
    if (!connection.isHeard() && connection.reading != Connection::Reading::Looking) return;
    heard_ = &connection;
    for (int i = 0; i < kMessagesMax; i++) {
      connection.callback(connection.handle, 0, UV_READABLE);
      if (heard_ == nullptr) return;
      if (!connection.isHeard() || !connection.hasNext() || connection.messages.isWebSocket()) break;
    }
    heard_ = nullptr;
    flush(connection);
    if (connection.isHeard()) hearOn(connection);
  }

  /** More may be there: what was left over, or what the system tells of. */
  void hearOn(Connection &connection) {
    if (connection.isMuted) mute(connection, false);
    if (!connection.isWaiting && connection.hasMore()) enqueue(connection);
  }

  /** Answers 0 where the client has closed its side; what else has come stays where it is. */
  ssize_t look(Connection &connection) {
    uint8_t byte;
    const ssize_t count = ::recv(connection.fd, &byte, 1, MSG_PEEK);
    if (count <= 0) return count;
    mute(connection, true);
    return errno = EAGAIN, -1;
  }

  /** Gives the next message or part of one, as recv(2). */
  ssize_t read(Connection &connection, uint8_t *buffer) {
    Messages &messages = connection.messages;
    if (messages.isClosed()) return 0;
    if (messages.bodyLeft() > 0 && connection.rest.empty()) return readBody(connection, buffer);
    const bool isFresh = connection.rest.empty();
    Span in{connection.rest.data(), connection.rest.size()};
    if (!connection.hasMore()) {
      const ssize_t count = ::recv(connection.fd, input_, sizeof input_, 0);
      if (count == 0 && !isGone(connection.fd)) return messages.end(buffer);
      if (count <= 0) return count;
      in = {input_, size_t(count)};
      if (!isFresh) {
        connection.rest.append(in.at, in.size);
        in = {connection.rest.data(), connection.rest.size()};
      }
    }
    const Messages::Step step = messages.step(in, buffer);
    if (isFresh) connection.rest.append(in.at + step.taken, in.size - step.taken);
    else connection.rest.take(step.taken);
    connection.needsMore = step.made == 0;
    connection.isHandshaking = step.isWhole && messages.isHandshake();
    if (messages.isRefused()) discard(connection.fd);
    if (step.made == 0) return errno = EAGAIN, -1;
    if (messages.bodyLeft() == 0 || !connection.rest.empty()) return step.made;
    const ssize_t more = readBody(connection, buffer + step.made);
    return step.made + (more > 0 ? more : 0);
  }

  /** Both sides of the connection are closed, not only that of the client. */
  static bool isGone(int fd) {
    pollfd look{fd, 0, 0};
    return ::poll(&look, 1, 0) > 0;
  }

  /** Takes what has come behind a refusal: a connection that is closed over unread bytes is reset, and the client loses the answer. */
  void discard(int fd) {
    for (int i = 0; i < kDiscardsMax && ::recv(fd, input_, sizeof input_, 0) > 0; i++) continue;
  }

  ssize_t readBody(Connection &connection, uint8_t *buffer) {
    const uint64_t left = connection.messages.bodyLeft();
    const ssize_t count = ::recv(connection.fd, buffer, left < kBodyReadBytes ? left : kBodyReadBytes, 0);
    if (count > 0) connection.messages.passBody(count);
    return count;
  }

  /** Keeps the answer to a message behind which the next one is there already: theirs leave in one piece. */
  bool gather(Connection &connection, Span answer) {
    const bool isBetween = heard_ == &connection && connection.hasNext() && !connection.isHandshaking;
    if (connection.messages.isWebSocket() || isBare(&connection) || (connection.answers.empty() && !isBetween)) return false;
    if (connection.answers.size() + answer.size > kAnswersBytesMax) return false;
    connection.answers.append(answer.at, answer.size);
    if (!isBetween) flush(connection), answered(connection);
    return true;
  }

  /** Sends what has been gathered; false: the system does not take all of it. */
  bool flush(Connection &connection) {
    if (connection.answers.empty()) return true;
    const ssize_t count = ::send(connection.fd, connection.answers.data(), connection.answers.size(), MSG_NOSIGNAL);
    if (count > 0) connection.answers.take(count);
    connection.isBlocked = !connection.answers.empty();
    arm(connection);
    return connection.answers.empty();
  }

  void sent(Connection &connection, Span answer, size_t size, ssize_t count) {
    if (connection.isHandshaking && startsWith(answer, "http/1.1 101")) connection.messages.upgrade();
    connection.isHandshaking = false;
    connection.isBlocked = count < 0 ? errno == EAGAIN : size_t(count) < size;
    if (connection.lines.takePing()) connection.messages.pinged();
    if (connection.lines.isClosed()) connection.messages.close();
    arm(connection);
    answered(connection);
  }

  void answered(Connection &connection) {
    if (connection.reading == Connection::Reading::Looking) connection.reading = Connection::Reading::Open;
    if (&connection != heard_ && connection.isHeard()) hearOn(connection);
  }

  static void onAccept(uv_poll_t *handle, int status, int events) {
    door().acceptsLeft_ = kAcceptsMax;
    Connection *connection = door().find(handle);
    if (connection != nullptr) connection->callback(handle, status, events);
  }

  /** Connections wait in the kernel until file descriptors may be free again. */
  void pauseAccepting() {
    counts.acceptPauses++;
    acceptsLeft_ = 0;
    for (Connection *each : connections_)
      if (each != nullptr && each->isListening) uv_poll_stop(each->handle);
    uv_timer_start(&acceptTimer_, [](uv_timer_t *) { door().acceptAgain(); }, kAcceptPauseMs, 0);
  }

  void acceptAgain() {
    for (Connection *each : connections_)
      if (each != nullptr && each->isListening) uv_poll_start(each->handle, each->wanted, onAccept);
  }
};
