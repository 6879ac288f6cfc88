// The Node-API side of the door, for Linux.
//
// `open(budgetMs)` puts it in front of the uWebSockets.js that this process has loaded, once, and answers whether it could.
// `counts()` says what has happened: see DoorCounts. For tests, `messages(pieces, kind)` answers what uWebSockets.js is given of a
// connection's bytes that come in these pieces: an array for each, of the steps; and `lines(bytes, rooms)` what goes to a client
// that speaks bare JSON, of which the system takes so many bytes at a time.
#include <node_api.h>

#include "calls.h"
#include "door.h"
#include "parts.h"

namespace {

Replacement kReplacements[] = {
    {"uv_poll_start", reinterpret_cast<void *>(Door::pollStart)},
    {"uv_poll_stop", reinterpret_cast<void *>(Door::pollStop)},
    {"recv", reinterpret_cast<void *>(Door::receive)},
    {"send", reinterpret_cast<void *>(Door::send)},
    {"writev", reinterpret_cast<void *>(Door::sendParts)},
    {"shutdown", reinterpret_cast<void *>(Door::shutdown)},
    {"accept4", reinterpret_cast<void *>(Door::accept)},
};

bool takes(const dl_phdr_info &library, const char *name) {
  const Dynamic dynamic(library);
  for (size_t i = 0; i < dynamic.bytes[0] / sizeof(ElfW(Rela)); i++) {
    const auto &symbol = dynamic.symbols[ELF64_R_SYM(dynamic.tables[0][i].r_info)];
    if (strcmp(dynamic.names + symbol.st_name, name) == 0) return true;
  }
  return false;
}

/** uWebSockets.js is the addon that polls sockets by libuv. */
int replaceIn(dl_phdr_info *library, size_t, void *) {
  const size_t length = strlen(library->dlpi_name);
  const bool isAddon = length > 5 && strcmp(library->dlpi_name + length - 5, ".node") == 0;
  if (isAddon && takes(*library, "uv_poll_init_socket")) replaceCalls(*library, kReplacements);
  return 0;
}

bool areDone() {
  for (const Replacement &replacement : kReplacements)
    if (!replacement.isDone) return false;
  return true;
}

napi_value open(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value argument, result;
  double budgetMs;
  uv_loop_t *loop;
  if (napi_get_cb_info(env, info, &count, &argument, nullptr, nullptr) != napi_ok || count < 1 ||
      napi_get_value_double(env, argument, &budgetMs) != napi_ok || napi_get_uv_event_loop(env, &loop) != napi_ok) {
    return fail(env, "open takes milliseconds");
  }
  if (!areDone()) {
    Door::door().open(loop, uint64_t(budgetMs * 1e6));
    dl_iterate_phdr(replaceIn, nullptr);
  }
  return napi_get_boolean(env, areDone(), &result) == napi_ok ? result : nullptr;
}

void set(napi_env env, napi_value object, const char *name, double value) {
  napi_value number;
  if (napi_create_double(env, value, &number) == napi_ok) napi_set_named_property(env, object, name, number);
}

napi_value counts(napi_env env, napi_callback_info) {
  napi_value object;
  if (napi_create_object(env, &object) != napi_ok) return nullptr;
  const DoorCounts &counts = Door::door().counts;
  set(env, object, "readBytesMax", double(counts.readBytesMax));
  set(env, object, "fullTurns", double(counts.fullTurns));
  set(env, object, "acceptPauses", double(counts.acceptPauses));
  return object;
}

/** The steps of one piece, behind what earlier ones have left. */
napi_value stepsOf(napi_env env, Messages &messages, Bytes &rest) {
  static uint8_t out[kStepBytesMax];
  napi_value steps, copy;
  void *bytes;
  if (napi_create_array(env, &steps) != napi_ok) return nullptr;
  for (uint32_t i = 0; !rest.empty();) {
    const Messages::Step step = messages.step({rest.data(), rest.size()}, out);
    rest.take(step.taken);
    if (step.made == 0) break;
    if (messages.isBare() && messages.isHandshake()) messages.upgrade();
    if (napi_create_buffer_copy(env, step.made, out, &bytes, &copy) != napi_ok) return nullptr;
    napi_set_element(env, steps, i++, copy);
  }
  return steps;
}

napi_value messages(napi_env env, napi_callback_info info) {
  size_t count = 2;
  uint32_t length = 0, kind = 0;
  napi_value arguments[2], results, piece;
  const napi_value &pieces = arguments[0];
  if (napi_get_cb_info(env, info, &count, arguments, nullptr, nullptr) != napi_ok || count < 2 ||
      napi_get_array_length(env, pieces, &length) != napi_ok || napi_create_array(env, &results) != napi_ok ||
      napi_get_value_uint32(env, arguments[1], &kind) != napi_ok) {
    return fail(env, "messages takes an array of pieces, and a number: 0 for TCP, 1 behind a handshake, 2 for a Unix socket");
  }
  Messages messages(kind == 2);
  if (kind == 1) messages.upgrade();
  Bytes rest;
  for (uint32_t i = 0; i < length; i++) {
    size_t size;
    void *bytes;
    if (napi_get_element(env, pieces, i, &piece) != napi_ok ||
        napi_get_buffer_info(env, piece, &bytes, &size) != napi_ok || size > kReadBytes) {
      return fail(env, "a piece is a buffer");
    }
    rest.append(static_cast<const uint8_t *>(bytes), size);
    napi_set_element(env, results, i, stepsOf(env, messages, rest));
  }
  return results;
}

napi_value lines(napi_env env, napi_callback_info info) {
  size_t count = 2, size;
  uint32_t length = 0, room = 0;
  void *bytes;
  napi_value arguments[2], each, copy;
  if (napi_get_cb_info(env, info, &count, arguments, nullptr, nullptr) != napi_ok || count < 2 ||
      napi_get_buffer_info(env, arguments[0], &bytes, &size) != napi_ok ||
      napi_get_array_length(env, arguments[1], &length) != napi_ok) {
    return fail(env, "lines takes a buffer and an array of numbers");
  }
  Lines lines;
  std::vector<uint8_t> made;
  Span in{static_cast<const uint8_t *>(bytes), size};
  for (uint32_t i = 0; i < length; i++) {
    if (napi_get_element(env, arguments[1], i, &each) != napi_ok || napi_get_value_uint32(env, each, &room) != napi_ok) return nullptr;
    const size_t before = made.size();
    made.resize(before + room);
    const Lines::Step step = lines.step(in, made.data() + before, room);
    made.resize(before + step.made);
    in = behind(in, step.taken);
  }
  return napi_create_buffer_copy(env, made.size(), made.data(), &bytes, &copy) == napi_ok ? copy : nullptr;
}

}  // namespace

bool define_door(napi_env env, napi_value exports) {
  const napi_property_descriptor functions[] = {
      {"open", nullptr, open, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"counts", nullptr, counts, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"messages", nullptr, messages, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
      {"lines", nullptr, lines, nullptr, nullptr, nullptr, napi_enumerable, nullptr},
  };
  return napi_define_properties(env, exports, sizeof functions / sizeof *functions, functions) == napi_ok;
}
