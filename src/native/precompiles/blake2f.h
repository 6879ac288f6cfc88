// The compression function of BLAKE2b with any number of rounds (EIP-152).
#pragma once

#include <cstdint>
#include <cstring>

namespace prestate::blake2f {

constexpr uint64_t kStart[8] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
                                0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

/** Order in which a round uses the message's words (RFC 7693). */
constexpr uint8_t kOrder[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

inline uint64_t read(const uint8_t *bytes) {
  uint64_t word = 0;
  for (int i = 7; i >= 0; i--) word = word << 8 | bytes[i];
  return word;
}

inline uint64_t rotate(uint64_t word, int bits) { return word >> bits | word << (64 - bits); }

inline void mix(uint64_t &a, uint64_t &b, uint64_t &c, uint64_t &d, uint64_t x, uint64_t y) {
  a += b + x;
  d = rotate(d ^ a, 32);
  c += d;
  b = rotate(b ^ c, 24);
  a += b + y;
  d = rotate(d ^ a, 16);
  c += d;
  b = rotate(b ^ c, 63);
}

/**
 * Compresses one block. Input (213 bytes): rounds (4 bytes, big endian), h, m, t (little endian), f. Output: 64 bytes.
 */
inline void compress(const uint8_t *input, uint8_t *output) {
  const uint32_t rounds = uint32_t(input[0]) << 24 | input[1] << 16 | input[2] << 8 | input[3];
  uint64_t h[8], m[16], v[16];
  for (int i = 0; i < 8; i++) h[i] = v[i] = read(input + 4 + 8 * i), v[i + 8] = kStart[i];
  for (int i = 0; i < 16; i++) m[i] = read(input + 68 + 8 * i);
  v[12] ^= read(input + 196);
  v[13] ^= read(input + 204);
  if (input[212]) v[14] = ~v[14];
  for (uint32_t round = 0, row = 0; round < rounds; round++, row = row == 9 ? 0 : row + 1) {
    const uint8_t *order = kOrder[row];
    mix(v[0], v[4], v[8], v[12], m[order[0]], m[order[1]]);
    mix(v[1], v[5], v[9], v[13], m[order[2]], m[order[3]]);
    mix(v[2], v[6], v[10], v[14], m[order[4]], m[order[5]]);
    mix(v[3], v[7], v[11], v[15], m[order[6]], m[order[7]]);
    mix(v[0], v[5], v[10], v[15], m[order[8]], m[order[9]]);
    mix(v[1], v[6], v[11], v[12], m[order[10]], m[order[11]]);
    mix(v[2], v[7], v[8], v[13], m[order[12]], m[order[13]]);
    mix(v[3], v[4], v[9], v[14], m[order[14]], m[order[15]]);
  }
  for (int i = 0; i < 64; i++) output[i] = uint8_t((h[i / 8] ^ v[i / 8] ^ v[i / 8 + 8]) >> (i % 8 * 8));
}

}  // namespace prestate::blake2f
