// The Node-API functions of the guard, for Linux.
//
// `open({ path, turnMs, idleMs, buffersBytesMax })` hooks the guard into the uWebSockets.js binary that was loaded from
// `path`, and returns whether that worked; further calls return the first result. `counts()` returns GuardCounts.
// `served()` returns a Uint32Array of three elements about the request that is passed on now: the number of its client
// (an IP address, or for IPv6 a /64 network), and where its body starts and ends in the receive buffer of
// uWebSockets.js, which `receiveBuffer()` returns.
//
// For tests: `messages(pieces, kind)` returns what uWebSockets.js gets when a connection's bytes arrive in these
// pieces, as an array of steps for each piece. `lines(bytes, rooms)` returns the JSON that a bare-JSON client gets for
// the WebSocket frames in `bytes` if each send to the socket accepts as many bytes as the next number in `rooms`.
// `spins(gaps)` takes times in nanoseconds from a response to the next request, and returns for each whether the main
// thread polls during it.
#include <node_api.h>

#include <sys/stat.h>

#include "read-scheduler.h"
#include "addon-modules.h"
#include "relocations.h"

namespace {

Replacement kReplacements[] = {
    {"uv_poll_start", reinterpret_cast<void *>(ReadScheduler::pollStart)},
    {"uv_poll_stop", reinterpret_cast<void *>(ReadScheduler::pollStop)},
    {"recv", reinterpret_cast<void *>(ReadScheduler::receive)},
    {"send", reinterpret_cast<void *>(ReadScheduler::send)},
    {"writev", reinterpret_cast<void *>(ReadScheduler::sendParts)},
    {"shutdown", reinterpret_cast<void *>(ReadScheduler::shutdown)},
    {"accept4", reinterpret_cast<void *>(ReadScheduler::accept)},
};

/**
 * True if `path` is the same file as `wanted`, the uWebSockets.js binary. Calls are replaced only in this library, not
 * in other addons or other builds of uWebSockets.js.
 */
bool isFile(const char *path, const struct stat &wanted) {
  struct stat status;
  return stat(path, &status) == 0 && status.st_dev == wanted.st_dev && status.st_ino == wanted.st_ino;
}

int replaceIn(dl_phdr_info *library, size_t, void *wanted) {
  if (isFile(library->dlpi_name, *static_cast<const struct stat *>(wanted))) replaceCalls(*library, kReplacements);
  return 0;
}

bool areDone() {
  for (const Replacement &replacement : kReplacements)
    if (!replacement.isDone) return false;
  return true;
}

bool numberOf(napi_env env, napi_value object, const char *name, double *number) {
  napi_value value;
  return napi_get_named_property(env, object, name, &value) == napi_ok &&
      napi_get_value_double(env, value, number) == napi_ok;
}

bool fileOf(napi_env env, napi_value object, struct stat *file) {
  napi_value value;
  char path[4096];
  return napi_get_named_property(env, object, "path", &value) == napi_ok &&
         napi_get_value_string_utf8(env, value, path, sizeof path, nullptr) == napi_ok && stat(path, file) == 0;
}

napi_value open(napi_env env, napi_callback_info info) {
  napi_value options[1];
  double turnMs, idleMs, buffersBytesMax;
  struct stat file;
  uv_loop_t *loop;
  if (!read_arguments(env, info, options) || !fileOf(env, *options, &file) ||
      !numberOf(env, *options, "turnMs", &turnMs) || !numberOf(env, *options, "idleMs", &idleMs) ||
      !numberOf(env, *options, "buffersBytesMax", &buffersBytesMax) ||
      napi_get_uv_event_loop(env, &loop) != napi_ok) {
    return fail(env, "open takes a path, milliseconds and bytes");
  }
  if (!ReadScheduler::guard().isOpen()) {
    ReadScheduler::guard().open(loop, uint64_t(turnMs * 1e6), uint64_t(idleMs), size_t(buffersBytesMax));
    dl_iterate_phdr(replaceIn, &file);
  }
  return boolean(env, areDone());
}

void set(napi_env env, napi_value object, const char *name, double value) {
  napi_value number;
  if (napi_create_double(env, value, &number) == napi_ok) napi_set_named_property(env, object, name, number);
}

napi_value counts(napi_env env, napi_callback_info) {
  napi_value object;
  if (napi_create_object(env, &object) != napi_ok) return nullptr;
  const GuardCounts &counts = ReadScheduler::guard().counts;
  set(env, object, "readBytesMax", double(counts.readBytesMax));
  set(env, object, "fullTurns", double(counts.fullTurns));
  set(env, object, "acceptPauses", double(counts.acceptPauses));
  set(env, object, "bufferBytes", double(Buffer::allocatedBytes()));
  set(env, object, "bufferRefusals", double(counts.bufferRefusals));
  return object;
}

napi_value viewOf(napi_env env, const void *memory, size_t bytes) {
  napi_value buffer;
  return napi_create_external_arraybuffer(env, const_cast<void *>(memory), bytes, nullptr, nullptr, &buffer) == napi_ok
      ? buffer : fail(env, "no view of the guard's memory");
}

napi_value served(napi_env env, napi_callback_info) {
  GuardParsedRequest &request = ReadScheduler::guard().served;
  napi_value array, buffer = viewOf(env, &request, sizeof request);
  if (buffer == nullptr) return nullptr;
  return napi_create_typedarray(env, napi_uint32_array, 3, buffer, 0, &array) == napi_ok ? array : nullptr;
}

napi_value receiveBuffer(napi_env env, napi_callback_info) {
  const Span buffer = ReadScheduler::guard().receiveBuffer;
  return viewOf(env, buffer.at, buffer.size);
}

/**
 * Returns what the framer passes on after a piece has arrived, as one array element per step. `rest` contains the piece
 * and the bytes that are left from earlier pieces.
 */
napi_value stepsOf(napi_env env, RequestFramer &framer, Buffer &rest) {
  static uint8_t out[kStepBytesMax];
  napi_value steps, copy;
  void *bytes;
  if (napi_create_array(env, &steps) != napi_ok) return nullptr;
  for (uint32_t i = 0; !rest.empty();) {
    const RequestFramer::Step step = framer.step(rest.span(), out, kBodyReadBytes);
    if (step.made.size > 0 && napi_create_buffer_copy(env, step.made.size, step.made.at, &bytes, &copy) != napi_ok)
      return nullptr;
    rest.take(step.taken);
    if (step.made.size == 0) break;
    if (framer.isBare() && framer.isHandshake()) framer.upgrade();
    napi_set_element(env, steps, i++, copy);
  }
  return steps;
}

napi_value messages(napi_env env, napi_callback_info info) {
  uint32_t length = 0, kind = 0;
  napi_value arguments[2], results, piece;
  const napi_value &pieces = arguments[0];
  if (!read_arguments(env, info, arguments) || napi_get_array_length(env, pieces, &length) != napi_ok ||
      napi_create_array(env, &results) != napi_ok || napi_get_value_uint32(env, arguments[1], &kind) != napi_ok) {
    return fail(env, "messages takes an array of pieces, and a number: "
                     "0 for TCP, 1 after a handshake, 2 for a Unix socket");
  }
  RequestFramer framer(kind == 2);
  if (kind == 1) framer.upgrade();
  Buffer rest;
  for (uint32_t i = 0; i < length; i++) {
    size_t size;
    void *bytes;
    if (napi_get_element(env, pieces, i, &piece) != napi_ok ||
        napi_get_buffer_info(env, piece, &bytes, &size) != napi_ok || size > kReadBytes) {
      return fail(env, "a piece is a buffer");
    }
    if (!rest.append({static_cast<const uint8_t *>(bytes), size}, kRestBytesMax))
      return fail(env, "the pieces are too long");
    napi_set_element(env, results, i, stepsOf(env, framer, rest));
  }
  return results;
}

napi_value lines(napi_env env, napi_callback_info info) {
  size_t size;
  uint32_t length = 0, room = 0;
  void *bytes;
  napi_value arguments[2], each, copy;
  if (!read_arguments(env, info, arguments) || napi_get_buffer_info(env, arguments[0], &bytes, &size) != napi_ok ||
      napi_get_array_length(env, arguments[1], &length) != napi_ok) {
    return fail(env, "lines takes a buffer and an array of numbers");
  }
  WebSocketToJsonLines lines;
  std::vector<uint8_t> made;
  Span in{static_cast<const uint8_t *>(bytes), size};
  for (uint32_t i = 0; i < length; i++) {
    if (napi_get_element(env, arguments[1], i, &each) != napi_ok || napi_get_value_uint32(env, each, &room) != napi_ok)
      return nullptr;
    const size_t before = made.size();
    made.resize(before + room);
    const WebSocketToJsonLines::Step step = lines.step(in, made.data() + before, room);
    made.resize(before + step.made);
    in = behind(in, step.taken);
  }
  return napi_create_buffer_copy(env, made.size(), made.data(), &bytes, &copy) == napi_ok ? copy : nullptr;
}

napi_value spins(napi_env env, napi_callback_info info) {
  uint32_t length = 0;
  napi_value gaps[1], results, each;
  double gapNs;
  if (!read_arguments(env, info, gaps) || napi_get_array_length(env, *gaps, &length) != napi_ok ||
      napi_create_array(env, &results) != napi_ok) {
    return fail(env, "spins takes an array of nanoseconds");
  }
  ReadSpin spin;
  uint64_t nowNs = 1;
  for (uint32_t i = 0; i < length; i++) {
    if (napi_get_element(env, *gaps, i, &each) != napi_ok || napi_get_value_double(env, each, &gapNs) != napi_ok)
      return nullptr;
    const bool isSpinning = spin.answered(nowNs);
    nowNs += uint64_t(gapNs);
    spin.isOn(nowNs);
    spin.arrived();
    if (napi_get_boolean(env, isSpinning, &each) == napi_ok) napi_set_element(env, results, i, each);
  }
  return results;
}

}  // namespace

bool define_httpGuard(napi_env env, napi_value exports) {
  const napi_property_descriptor functions[] = {
      function("open", open),
      function("served", served),
      function("receiveBuffer", receiveBuffer),
      function("counts", counts),
      function("messages", messages),
      function("lines", lines),
      function("spins", spins),
  };
  return define_functions(env, exports, functions);
}
