// The Node-API functions of plain reads: simple requests for nonces, balances and storage that the addon answers
// without JavaScript. `create(words, out, counts, heads, guarded, geometry, callsMax)` returns the function
// `answer(body, from)` for one shared state table; `layout()` returns the table layout for which the addon was
// compiled. Nothing is global.
//
// `answer` returns how many bytes it has written to `out`, and counts calls by method in `counts`. It answers the whole
// body, or returns 0 if the body contains anything but plain reads. If `from` is the offset of a call in a batch, it
// answers the plain reads from there on. It keeps references to the arrays, and their owner never detaches their
// buffers.
#include <node_api.h>

#include "plain-read-responses.h"
#include "addon-modules.h"

namespace {

/** Arrays that the read function created by `create` references, in the order of `create`'s arguments. */
enum Held { kWords, kOut, kCounts, kHeads, kGuarded, kHeldArrays };

struct Reader {
  Reader(const prestate::Table &table, const prestate::Guarded &guarded, uint32_t calls_max)
      : reads(table, guarded, calls_max) {}
  prestate::PlainReads reads;
  prestate::Room out = {};
  const prestate::Heads *heads = nullptr;
  uint32_t *counts = nullptr;
  napi_ref held[kHeldArrays] = {};
};

napi_value answer(napi_env env, napi_callback_info info) {
  napi_value argv[2];
  void *data;
  Array body;
  uint32_t from;
  if (!read_arguments(env, info, argv, &data) || !array_of(env, argv[0], napi_uint8_array, &body) ||
      napi_get_value_uint32(env, argv[1], &from) != napi_ok || from > body.length) {
    return fail(env, "answer takes bytes and an offset in them");
  }
  Reader *reader = static_cast<Reader *>(data);
  const uint8_t *text = body.bytes();
  const size_t bytes = from == 0 ? reader->reads.whole(text, body.length, *reader->heads, reader->out)
                                 : reader->reads.run(text + from, body.length - from, *reader->heads, reader->out);
  std::memcpy(reader->counts, reader->reads.counts(), prestate::kMethods * sizeof *reader->counts);
  napi_value result;
  return napi_create_uint32(env, uint32_t(bytes), &result) == napi_ok ? result : nullptr;
}

void release(napi_env env, void *data, void *) {
  Reader *reader = static_cast<Reader *>(data);
  for (napi_ref reference : reader->held) {
    if (reference != nullptr) napi_delete_reference(env, reference);
  }
  delete reader;
}

napi_value create(napi_env env, napi_callback_info info) {
  napi_value argv[7];
  Array words, parts, out, counts, heads, guarded;
  uint32_t calls_max;
  prestate::Geometry geometry;
  if (!read_arguments(env, info, argv) || !array_of(env, argv[0], napi_int32_array, &words) ||
      !array_of(env, argv[1], napi_uint8_array, &out) ||
      !array_of(env, argv[2], napi_uint32_array, &counts) || counts.length < prestate::kMethods ||
      !array_of(env, argv[3], napi_uint32_array, &heads) ||
      heads.length * sizeof(uint32_t) != sizeof(prestate::Heads) ||
      !array_of(env, argv[4], napi_uint32_array, &guarded) || guarded.length == 0 ||
      !array_of(env, argv[5], napi_uint32_array, &parts) || parts.length * sizeof(uint32_t) != sizeof geometry ||
      napi_get_value_uint32(env, argv[6], &calls_max) != napi_ok) {
    return fail(env, "create takes a table's words, buffers for responses and counts, heads, guarded accounts, "
                     "a geometry, a number of calls");
  }
  std::memcpy(&geometry, parts.data, sizeof geometry);
  if (!geometry.fits(words.length)) return fail(env, "create: the geometry is not of a table of so many words");
  Reader *reader = new (std::nothrow)
      Reader({static_cast<uint32_t *>(words.data), geometry},
             prestate::Guarded(static_cast<const uint32_t *>(guarded.data)), calls_max);
  if (reader == nullptr || reader->reads.out_of_memory()) {
    delete reader;
    return fail(env, "no memory");
  }
  reader->out = {out.bytes(), out.length};
  reader->heads = static_cast<const prestate::Heads *>(heads.data);
  reader->counts = static_cast<uint32_t *>(counts.data);
  for (int i = 0; i < kHeldArrays; i++) {
    if (napi_create_reference(env, argv[i], 1, &reader->held[i]) == napi_ok) continue;
    release(env, reader, nullptr);
    return fail(env, "no reference");
  }
  return function_on(env, "answer", answer, reader, release);
}

struct Constant {
  const char *name;
  uint32_t value;
};

/** The table layout, by the names in native-plain-reads.ts. */
constexpr Constant kLayout[] = {
    {"layoutVersion", prestate::kLayoutVersion},
    {"floor", prestate::kFloor},
    {"reclaimed", prestate::kReclaimed},
    {"version", prestate::kVersion},
    {"link", prestate::kLink},
    {"tag", prestate::kTag},
    {"key", prestate::kKey},
    {"accountWords", prestate::kAccount.words},
    {"accountPayload", prestate::kAccount.payload()},
    {"slotWords", prestate::kSlot.words},
    {"slotPayload", prestate::kSlot.payload()},
    {"payloadWords", prestate::kPayloadWords},
    {"mark", prestate::kMark},
    {"nonce", prestate::kNonce},
    {"balance", prestate::kBalance},
    {"wide", prestate::kWide},
    {"empty", prestate::kEmpty},
    {"tombstone", prestate::kTombstone},
    {"olderWords", prestate::kOlderWords},
    {"olderVersion", prestate::kVersion},
    {"olderLink", prestate::kOlderLink},
    {"jump", prestate::kJump},
    {"jumpVersion", prestate::kJumpVersion},
    {"olderPayload", prestate::kOlderPayload},
    {"blockWords", prestate::kBlockWords},
    {"blockOrdinal", prestate::kOrdinal},
    {"blockCompletedAt", prestate::kCompletedAt},
    {"blockPrevious", prestate::kPrevious},
    {"blockRun", prestate::kRun},
    {"blockNumber", prestate::kBlockNumber},
    {"ordinalMask", prestate::kOrdinalMask},
    {"hashKeyWords", prestate::kHashKeyWords},
};

napi_value layout(napi_env env, napi_callback_info) {
  napi_value object;
  if (napi_create_object(env, &object) != napi_ok) return nullptr;
  for (const Constant &constant : kLayout) {
    napi_value value;
    if (napi_create_uint32(env, constant.value, &value) != napi_ok ||
        napi_set_named_property(env, object, constant.name, value) != napi_ok) {
      return nullptr;
    }
  }
  return object;
}

}  // namespace

bool define_reads(napi_env env, napi_value exports) {
  const napi_property_descriptor properties[] = {
      function("create", create),
      function("layout", layout),
  };
  return define_functions(env, exports, properties);
}
