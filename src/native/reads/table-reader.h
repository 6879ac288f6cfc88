// Reads the shared state table. src/state/table/layout/table-layout.ts defines its layout, entry-reader.ts the protocol
// of reads, and block-ring.ts the look-up of blocks. This file implements all three again, only for the values that
// plain reads need. Reads that may have to wait, fetch or fail are left to entry-reader.ts.
//
// Loads have the order of entry-reader.ts: version word, tag, key, link and payload, and the version word again. The
// first two are acquire loads, so no later load moves before them; a fence keeps all of them before the last one. The
// writer stores in the opposite order, each time with release semantics. So if a load has seen a part of a later value,
// the last load sees the later value's version.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace prestate {

// Same layout as in table-layout.ts and key-hash.ts. `native-plain-reads.ts` compares all of it when it loads the
// addon.
constexpr uint32_t kLayoutVersion = 6;
enum Header : uint32_t { kFloor = 17, kReclaimed = 18 };
enum Entry : uint32_t { kVersion = 0, kLink = 1, kTag = 2, kKey = 3 };
enum Older : uint32_t { kOlderWords = 16, kOlderLink = 1, kJump = 3, kJumpVersion = 4, kOlderPayload = 8 };
enum AccountPayload : uint32_t { kNonce = 0, kBalance = 2, kWide = 7 };
enum BlockRecord : uint32_t {
  kBlockWords = 32,
  kOrdinal = 0,
  kCompletedAt = 1,
  kPrevious = 2,
  kRun = 3,
  kBlockNumber = 4
};
enum Tag : uint32_t { kEmpty = 0, kTombstone = 1 };
constexpr uint32_t kMark = uint32_t(1) << 31;
constexpr uint32_t kPayloadWords = 8;
constexpr uint32_t kHashKeyWords = 14;
constexpr uint32_t kOrdinalMask = 0x7fffffff;

/** Sizes of a kind of table entries (accounts or slots) in words. The payload comes after the key. */
struct Kind {
  uint32_t words;
  uint32_t key_words;
  constexpr uint32_t payload() const { return kKey + key_words; }
};
constexpr Kind kAccount = {16, 5};
constexpr Kind kSlot = {24, 13};

/** A region of table entries or records: its first word, and the mask for their indices. */
struct Entries {
  uint32_t first;
  uint32_t mask;

  /** True if all entries, of `each` words, are inside a table of `words` words. */
  bool fits(uint32_t each, size_t words) const { return first + (uint64_t(mask) + 1) * each <= words; }
};

/** Positions of the table's regions, as native-plain-reads.ts passes them: every field is a word. */
struct Geometry {
  Entries accounts;
  Entries slots;
  /** Region of the records that hold older values. */
  Entries older;
  Entries blocks;
  uint32_t is_complete;
  uint32_t probes_max;
  uint32_t hash_key[kHashKeyWords];

  /** True if all regions are inside a table of this many words. */
  bool fits(size_t words) const {
    return words > kReclaimed && accounts.fits(kAccount.words, words) && slots.fits(kSlot.words, words) &&
           older.fits(kOlderWords, words) && blocks.fits(kBlockWords, words);
  }
};

/**
 * Result of a look-up. `kDoubt`: the value cannot be read here, because the entry is not in the table, was evicted or
 * reclaimed, or is being written.
 */
enum class Look { kRead, kDoubt };

class Table {
 public:
  Table(uint32_t *words, const Geometry &geometry) : words_(words), geometry_(geometry) {}

  /** Returns the hash of a key of `count` words, as key-hash.ts computes it. */
  uint32_t hash(const uint32_t *key, uint32_t count) const {
    uint32_t total = 0;
    for (uint32_t i = 0; i < count; i++) {
      uint32_t product = key[i] * geometry_.hash_key[0];
      // Keeps the loop from being vectorized: SSE2 has no multiplication of 32-bit words, and emulating it is slower.
      asm("" : "+r"(product));
      total += (product << 16 | product >> 16) * geometry_.hash_key[i + 1];
    }
    total = (total ^ total >> 16) * 0x85ebca6b;
    total = (total ^ total >> 13) * 0xc2b2ae35;
    total ^= total >> 16;
    return total <= kTombstone ? kTombstone + 1 : total;
  }

  /** Prefetches the cache lines of an entry that will be read soon. */
  void prefetch(const Kind &kind, uint32_t tag) const {
    const uint32_t *entry = words_ + place(kind, tag, 0);
    __builtin_prefetch(entry);
    if (kind.words > 16) __builtin_prefetch(entry + 16);
  }

  /**
   * Reads the payload of a key at `version`. If the table is complete and does not have the key, the payload is zeros.
   */
  Look read(const Kind &kind, const uint32_t *key, uint32_t tag, uint32_t version, uint32_t *payload) const {
    if (!keeps(version)) return Look::kDoubt;
    uint32_t seen;
    const size_t entry = find(kind, key, tag, &seen);
    if (entry == 0) return absent(payload);
    const uint32_t link = load(entry + kLink);
    if (seen <= version) copy(entry + kind.payload(), payload);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (load(entry + kVersion) != seen) return Look::kDoubt;
    if ((link & kMark) == 0) mark(entry + kLink, link);
    return seen <= version ? Look::kRead : read_older(link & ~kMark, version, payload);
  }

  /**
   * Returns the version of block `number` on the chain that ends with the record `top`, as block-ring.ts does; 0 if the
   * block is no longer in the table.
   */
  uint32_t version_of(uint32_t top, uint64_t number) const {
    for (uint32_t ordinal = top; is_there(ordinal);) {
      const size_t record = record_of(ordinal);
      const uint64_t above =
          load_acquire(record + kBlockNumber) | uint64_t(load_acquire(record + kBlockNumber + 1)) << 32;
      const uint32_t version = load_acquire(record + kCompletedAt);
      const uint32_t run = load_acquire(record + kRun);
      if (!is_there(ordinal) || above < number) return 0;
      if (above == number) return version >= load_acquire(kFloor) ? version : 0;
      ordinal = above - number <= ordinals_behind(ordinal, run)
          ? before(ordinal, uint32_t(above - number))
          : previous(run);
    }
    return 0;
  }

 private:
  size_t record_of(uint32_t ordinal) const {
    return geometry_.blocks.first + size_t(ordinal & geometry_.blocks.mask) * kBlockWords;
  }

  bool is_there(uint32_t ordinal) const {
    return ordinal != 0 && load_acquire(record_of(ordinal) + kOrdinal) == ordinal;
  }

  /**
   * Returns the ordinal of the block before a run of consecutive blocks. `run` is the ordinal of the run's first block.
   * Returns 0 if the record of the run's first block was overwritten.
   */
  uint32_t previous(uint32_t run) const {
    if (!is_there(run)) return 0;
    const uint32_t previous = load_acquire(record_of(run) + kPrevious);
    return is_there(run) ? previous : 0;
  }

  static uint32_t ordinals_behind(uint32_t ordinal, uint32_t earlier) {
    return ordinal >= earlier ? ordinal - earlier : ordinal - earlier + kOrdinalMask;
  }

  static uint32_t before(uint32_t ordinal, uint32_t count) {
    return ordinal > count ? ordinal - count : ordinal - count + kOrdinalMask;
  }

  uint32_t load(size_t at) const { return __atomic_load_n(words_ + at, __ATOMIC_RELAXED); }
  uint32_t load_acquire(size_t at) const { return __atomic_load_n(words_ + at, __ATOMIC_ACQUIRE); }

  /** True if the table still has all values that a read at this version needs. */
  bool keeps(uint32_t version) const { return version >= 1 && load(kReclaimed) <= version; }

  void copy(size_t at, uint32_t *payload) const {
    for (uint32_t i = 0; i < kPayloadWords; i++) payload[i] = load(at + i);
  }

  /**
   * Marks the entry as recently used for the clock algorithm that evicts entries, unless its link has changed
   * meanwhile.
   */
  void mark(size_t at, uint32_t link) const {
    __atomic_compare_exchange_n(words_ + at, &link, link | kMark, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
  }

  const Entries &entries(const Kind &kind) const {
    return kind.words == kSlot.words ? geometry_.slots : geometry_.accounts;
  }

  size_t place(const Kind &kind, uint32_t tag, uint32_t probes) const {
    const Entries &region = entries(kind);
    return region.first + size_t((tag + probes) & region.mask) * kind.words;
  }

  /**
   * Finds the first word of the key's entry, and the version word as it was before the tag was read. Returns 0 if there
   * is no entry.
   */
  size_t find(const Kind &kind, const uint32_t *key, uint32_t tag, uint32_t *version) const {
    for (uint32_t probes = 0; probes < geometry_.probes_max; probes++) {
      const size_t entry = place(kind, tag, probes);
      *version = load_acquire(entry + kVersion);
      const uint32_t seen = load_acquire(entry + kTag);
      if (seen == kEmpty) return 0;
      if (seen == tag && is_key(entry + kKey, key, kind.key_words)) return entry;
    }
    return 0;
  }

  bool is_key(size_t at, const uint32_t *key, uint32_t count) const {
    uint32_t different = 0;
    for (uint32_t i = 0; i < count; i++) different |= load(at + i) ^ key[i];
    return different == 0;
  }

  Look absent(uint32_t *payload) const {
    std::memset(payload, 0, kPayloadWords * sizeof *payload);
    return geometry_.is_complete != 0 ? Look::kRead : Look::kDoubt;
  }

  /** Follows the records of older values, from newer to older, to the first whose version is not above `version`. */
  Look read_older(uint32_t link, uint32_t version, uint32_t *payload) const {
    Look look = absent(payload);
    for (uint32_t above = UINT32_MAX; link != 0;) {
      const size_t record = geometry_.older.first + size_t(link & geometry_.older.mask) * kOlderWords;
      const uint32_t seen = load_acquire(record + kVersion);
      if (seen <= version) {
        copy(record + kOlderPayload, payload);
        look = Look::kRead;
        break;
      }
      // Versions are out of order only if a record was reclaimed while it was read; the check below detects that.
      if (seen >= above) break;
      above = seen;
      link = load(record + (load(record + kJumpVersion) > version ? kJump : kOlderLink));
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return keeps(version) ? look : Look::kDoubt;
  }

  uint32_t *words_;
  Geometry geometry_;
};

}  // namespace prestate
