// Sockets of a load generator, without an event loop. Linux.
//
// The thread sends directly, and waits for input from all sockets at once, with microsecond timeouts. Input is stored
// in one buffer, with a row of numbers for each socket. All functions are called by the thread that loaded the addon.
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <string>
#include <unordered_map>
#include <vector>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <node_api.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

constexpr int kReadyMax = 512;
/** Numbers of a row: socket, offset of its bytes, their length (0: the socket is closed). */
constexpr size_t kRowWords = 3;
constexpr long kNsAUs = 1000;
constexpr long kUsASecond = 1000000;

int poll = -1;
uint8_t *bytes = nullptr;
size_t room = 0;
int32_t *rows = nullptr;
size_t rows_max = 0;
/** Bytes that did not fit into a socket's send buffer. */
std::unordered_map<int, std::string> unsent;
std::vector<char> text;

bool watch(int operation, int socket, uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.fd = socket;
  return epoll_ctl(poll, operation, socket, &event) == 0;
}

/** Writes what fits; returns false if the socket is broken. */
bool write(int socket, const char *data, size_t length, size_t &written) {
  for (written = 0; written < length;) {
    const ssize_t count = send(socket, data + written, length - written, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno == EAGAIN;
    written += size_t(count);
  }
  return true;
}

bool flush(int socket) {
  const auto waiting = unsent.find(socket);
  if (waiting == unsent.end()) return true;
  size_t written;
  if (!write(socket, waiting->second.data(), waiting->second.size(), written)) return false;
  waiting->second.erase(0, written);
  if (!waiting->second.empty()) return true;
  unsent.erase(waiting);
  return watch(EPOLL_CTL_MOD, socket, EPOLLIN);
}

int32_t intOf(napi_env env, napi_value value) {
  int32_t number = -1;
  napi_get_value_int32(env, value, &number);
  return number;
}

napi_value number(napi_env env, int32_t value) {
  napi_value result = nullptr;
  napi_create_int32(env, value, &result);
  return result;
}

/** `use(bytes, rows)`: the output memory of `wait`. Both must outlive the use of the addon. */
napi_value use(napi_env env, napi_callback_info info) {
  napi_value arguments[2];
  size_t count = 2, length;
  void *data;
  napi_typedarray_type type;
  if (napi_get_cb_info(env, info, &count, arguments, nullptr, nullptr) != napi_ok || count < 2) return nullptr;
  napi_get_typedarray_info(env, arguments[0], &type, &room, &data, nullptr, nullptr);
  bytes = static_cast<uint8_t *>(data);
  napi_get_typedarray_info(env, arguments[1], &type, &length, &data, nullptr, nullptr);
  rows = static_cast<int32_t *>(data);
  rows_max = length / kRowWords;
  if (poll < 0) poll = epoll_create1(EPOLL_CLOEXEC);
  return number(env, poll < 0 ? -errno : 0);
}

/** `open(address, port)`: returns a connected socket, or a negative errno. Blocks until connected. */
napi_value open(napi_env env, napi_callback_info info) {
  napi_value arguments[2];
  size_t count = 2, length;
  char host[64];
  if (napi_get_cb_info(env, info, &count, arguments, nullptr, nullptr) != napi_ok || count < 2 ||
      napi_get_value_string_latin1(env, arguments[0], host, sizeof host, &length) != napi_ok)
    return number(env, -EINVAL);
  const uint16_t port = htons(uint16_t(intOf(env, arguments[1])));
  sockaddr_in v4{};
  sockaddr_in6 v6{};
  v4.sin_family = AF_INET;
  v4.sin_port = port;
  v6.sin6_family = AF_INET6;
  v6.sin6_port = port;
  const bool is4 = inet_pton(AF_INET, host, &v4.sin_addr) == 1;
  if (!is4 && inet_pton(AF_INET6, host, &v6.sin6_addr) != 1) return number(env, -EINVAL);
  const int socket = ::socket(is4 ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return number(env, -errno);
  const auto *address = is4 ? reinterpret_cast<sockaddr *>(&v4) : reinterpret_cast<sockaddr *>(&v6);
  const int on = 1;
  if (connect(socket, address, is4 ? sizeof v4 : sizeof v6) != 0 ||
      setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0 || fcntl(socket, F_SETFL, O_NONBLOCK) != 0 ||
      !watch(EPOLL_CTL_ADD, socket, EPOLLIN)) {
    const int error = errno;
    ::close(socket);
    return number(env, -error);
  }
  return number(env, socket);
}

/** `send(socket, text)`: characters are bytes. `wait` reports a broken socket. */
napi_value send(napi_env env, napi_callback_info info) {
  napi_value arguments[2];
  size_t count = 2, length = 0, written = 0;
  if (napi_get_cb_info(env, info, &count, arguments, nullptr, nullptr) != napi_ok || count < 2 ||
      napi_get_value_string_latin1(env, arguments[1], nullptr, 0, &length) != napi_ok)
    return nullptr;
  if (text.size() < length + 1) text.resize(length + 1);
  napi_get_value_string_latin1(env, arguments[1], text.data(), text.size(), &length);
  const int socket = intOf(env, arguments[0]);
  const auto waiting = unsent.find(socket);
  if (waiting != unsent.end()) {
    waiting->second.append(text.data(), length);
  } else if (write(socket, text.data(), length, written) && written < length) {
    unsent.emplace(socket, std::string(text.data() + written, length - written));
    watch(EPOLL_CTL_MOD, socket, EPOLLIN | EPOLLOUT);
  }
  return nullptr;
}

/**
 * `wait(us)`: returns the number of sockets with input, as soon as there is one, 0 at the timeout, or a negative errno.
 */
napi_value wait(napi_env env, napi_callback_info info) {
  napi_value arguments[1];
  size_t count = 1;
  epoll_event ready[kReadyMax];
  if (napi_get_cb_info(env, info, &count, arguments, nullptr, nullptr) != napi_ok || count < 1) return nullptr;
  const long us = intOf(env, arguments[0]);
  const timespec time{us / kUsASecond, us % kUsASecond * kNsAUs};
  const int max = int(rows_max < kReadyMax ? rows_max : kReadyMax);
  const int found = epoll_pwait2(poll, ready, max, &time, nullptr);
  if (found < 0 && errno != EINTR) return number(env, -errno);
  size_t at = 0;
  int32_t row = 0;
  for (int i = 0; i < found && at < room; i++) {
    const int socket = ready[i].data.fd;
    ssize_t length = -1;
    errno = EAGAIN;
    if ((ready[i].events & EPOLLOUT) != 0 && !flush(socket)) length = 0;
    else if ((ready[i].events & ~uint32_t(EPOLLOUT)) != 0) length = recv(socket, bytes + at, room - at, 0);
    if (length < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    int32_t *words = rows + size_t(row++) * kRowWords;
    words[0] = socket;
    words[1] = int32_t(at);
    words[2] = length < 0 ? 0 : int32_t(length);
    at += size_t(words[2]);
  }
  return number(env, row);
}

/** `close(socket)` */
napi_value close(napi_env env, napi_callback_info info) {
  napi_value arguments[1];
  size_t count = 1;
  if (napi_get_cb_info(env, info, &count, arguments, nullptr, nullptr) != napi_ok || count < 1) return nullptr;
  const int socket = intOf(env, arguments[0]);
  unsent.erase(socket);
  ::close(socket);
  return nullptr;
}

}  // namespace

NAPI_MODULE_INIT() {
  const napi_property_descriptor functions[] = {
      {"use", nullptr, use, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"open", nullptr, open, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"send", nullptr, send, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"wait", nullptr, wait, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"close", nullptr, close, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
  };
  return napi_define_properties(env, exports, 5, functions) == napi_ok ? exports : nullptr;
}
