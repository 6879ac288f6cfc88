// Keccak-256 as Ethereum uses it: with the padding byte 0x01 of the original submission, not that of SHA-3 (FIPS 202).
const LANES: usize = 25;
const RATE: u32 = 136;
// The state and the last input block, each padded to 16 bytes, are adjacent, so that one loop clears both.
const STATE_BYTES: usize = 8 * LANES + 8;
const BLOCK_BYTES: usize = RATE + 8;
const STATE: usize = memory.data(<i32>(STATE_BYTES + BLOCK_BYTES), 16);
const LAST_BLOCK: usize = STATE + STATE_BYTES;
const ROUND_CONSTANTS: usize = memory.data<u64>([
  0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
  0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
  0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
  0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
  0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
  0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
], 16);
const ROUND_CONSTANTS_END: usize = ROUND_CONSTANTS + 24 * 8;

/**
 * Adds an input block of 136 bytes to the state and permutes the state. The 25 lanes are variables during all rounds,
 * named a<x + 5 y>; if they were in memory, each round would read and write them five times. Only one round is
 * unrolled, because all 24 would not fit into the CPU's fast caches.
 */
function absorb(block: usize): void {
  let a0 = load<u64>(STATE, 0) ^ load<u64>(block, 0);
  let a1 = load<u64>(STATE, 8) ^ load<u64>(block, 8);
  let a2 = load<u64>(STATE, 16) ^ load<u64>(block, 16);
  let a3 = load<u64>(STATE, 24) ^ load<u64>(block, 24);
  let a4 = load<u64>(STATE, 32) ^ load<u64>(block, 32);
  let a5 = load<u64>(STATE, 40) ^ load<u64>(block, 40);
  let a6 = load<u64>(STATE, 48) ^ load<u64>(block, 48);
  let a7 = load<u64>(STATE, 56) ^ load<u64>(block, 56);
  let a8 = load<u64>(STATE, 64) ^ load<u64>(block, 64);
  let a9 = load<u64>(STATE, 72) ^ load<u64>(block, 72);
  let a10 = load<u64>(STATE, 80) ^ load<u64>(block, 80);
  let a11 = load<u64>(STATE, 88) ^ load<u64>(block, 88);
  let a12 = load<u64>(STATE, 96) ^ load<u64>(block, 96);
  let a13 = load<u64>(STATE, 104) ^ load<u64>(block, 104);
  let a14 = load<u64>(STATE, 112) ^ load<u64>(block, 112);
  let a15 = load<u64>(STATE, 120) ^ load<u64>(block, 120);
  let a16 = load<u64>(STATE, 128) ^ load<u64>(block, 128);
  let a17 = load<u64>(STATE, 136);
  let a18 = load<u64>(STATE, 144);
  let a19 = load<u64>(STATE, 152);
  let a20 = load<u64>(STATE, 160);
  let a21 = load<u64>(STATE, 168);
  let a22 = load<u64>(STATE, 176);
  let a23 = load<u64>(STATE, 184);
  let a24 = load<u64>(STATE, 192);
  for (let constant = ROUND_CONSTANTS; constant < ROUND_CONSTANTS_END; constant += 8) {
    // Step theta: the parity of the columns.
    const c0 = a0 ^ a5 ^ a10 ^ a15 ^ a20;
    const c1 = a1 ^ a6 ^ a11 ^ a16 ^ a21;
    const c2 = a2 ^ a7 ^ a12 ^ a17 ^ a22;
    const c3 = a3 ^ a8 ^ a13 ^ a18 ^ a23;
    const c4 = a4 ^ a9 ^ a14 ^ a19 ^ a24;
    const d0 = c4 ^ rotl(c1, 1);
    const d1 = c0 ^ rotl(c2, 1);
    const d2 = c1 ^ rotl(c3, 1);
    const d3 = c2 ^ rotl(c4, 1);
    const d4 = c3 ^ rotl(c0, 1);
    // Steps rho and pi: rotate the lanes and permute them.
    const b0 = a0 ^ d0;
    const b1 = rotl(a6 ^ d1, 44);
    const b2 = rotl(a12 ^ d2, 43);
    const b3 = rotl(a18 ^ d3, 21);
    const b4 = rotl(a24 ^ d4, 14);
    const b5 = rotl(a3 ^ d3, 28);
    const b6 = rotl(a9 ^ d4, 20);
    const b7 = rotl(a10 ^ d0, 3);
    const b8 = rotl(a16 ^ d1, 45);
    const b9 = rotl(a22 ^ d2, 61);
    const b10 = rotl(a1 ^ d1, 1);
    const b11 = rotl(a7 ^ d2, 6);
    const b12 = rotl(a13 ^ d3, 25);
    const b13 = rotl(a19 ^ d4, 8);
    const b14 = rotl(a20 ^ d0, 18);
    const b15 = rotl(a4 ^ d4, 27);
    const b16 = rotl(a5 ^ d0, 36);
    const b17 = rotl(a11 ^ d1, 10);
    const b18 = rotl(a17 ^ d2, 15);
    const b19 = rotl(a23 ^ d3, 56);
    const b20 = rotl(a2 ^ d2, 62);
    const b21 = rotl(a8 ^ d3, 55);
    const b22 = rotl(a14 ^ d4, 39);
    const b23 = rotl(a15 ^ d0, 41);
    const b24 = rotl(a21 ^ d1, 2);
    // Step chi mixes the rows; step iota adds the round constant.
    a0 = b0 ^ (~b1 & b2) ^ load<u64>(constant);
    a1 = b1 ^ (~b2 & b3);
    a2 = b2 ^ (~b3 & b4);
    a3 = b3 ^ (~b4 & b0);
    a4 = b4 ^ (~b0 & b1);
    a5 = b5 ^ (~b6 & b7);
    a6 = b6 ^ (~b7 & b8);
    a7 = b7 ^ (~b8 & b9);
    a8 = b8 ^ (~b9 & b5);
    a9 = b9 ^ (~b5 & b6);
    a10 = b10 ^ (~b11 & b12);
    a11 = b11 ^ (~b12 & b13);
    a12 = b12 ^ (~b13 & b14);
    a13 = b13 ^ (~b14 & b10);
    a14 = b14 ^ (~b10 & b11);
    a15 = b15 ^ (~b16 & b17);
    a16 = b16 ^ (~b17 & b18);
    a17 = b17 ^ (~b18 & b19);
    a18 = b18 ^ (~b19 & b15);
    a19 = b19 ^ (~b15 & b16);
    a20 = b20 ^ (~b21 & b22);
    a21 = b21 ^ (~b22 & b23);
    a22 = b22 ^ (~b23 & b24);
    a23 = b23 ^ (~b24 & b20);
    a24 = b24 ^ (~b20 & b21);
  }
  store<u64>(STATE, a0, 0);
  store<u64>(STATE, a1, 8);
  store<u64>(STATE, a2, 16);
  store<u64>(STATE, a3, 24);
  store<u64>(STATE, a4, 32);
  store<u64>(STATE, a5, 40);
  store<u64>(STATE, a6, 48);
  store<u64>(STATE, a7, 56);
  store<u64>(STATE, a8, 64);
  store<u64>(STATE, a9, 72);
  store<u64>(STATE, a10, 80);
  store<u64>(STATE, a11, 88);
  store<u64>(STATE, a12, 96);
  store<u64>(STATE, a13, 104);
  store<u64>(STATE, a14, 112);
  store<u64>(STATE, a15, 120);
  store<u64>(STATE, a16, 128);
  store<u64>(STATE, a17, 136);
  store<u64>(STATE, a18, 144);
  store<u64>(STATE, a19, 152);
  store<u64>(STATE, a20, 160);
  store<u64>(STATE, a21, 168);
  store<u64>(STATE, a22, 176);
  store<u64>(STATE, a23, 184);
  store<u64>(STATE, a24, 192);
}

// Loops instead of `memory.fill` and `memory.copy`, whose calls leave WebAssembly: that takes 2 % of the time of
// hashing one block.
@inline
function clear(): void {
  for (let at = STATE; at < STATE + STATE_BYTES + BLOCK_BYTES; at += 16) v128.store(at, i64x2.splat(0));
}

@inline
function copyRest(input: usize, length: u32): void {
  let at: u32 = 0;
  for (; at + 16 <= length; at += 16) v128.store(LAST_BLOCK + at, v128.load(input + at));
  for (; at < length; at++) store<u8>(LAST_BLOCK + at, load<u8>(input + at));
}

/** Writes the 32-byte Keccak-256 hash of the `length` bytes at `input` to `out`, which may overlap the input. */
export function keccak256(out: usize, input: usize, length: u32): void {
  clear();
  for (; length >= RATE; length -= RATE, input += RATE) absorb(input);
  copyRest(input, length);
  store<u8>(LAST_BLOCK + length, 1);
  store<u8>(LAST_BLOCK, load<u8>(LAST_BLOCK, RATE - 1) | 0x80, RATE - 1);
  absorb(LAST_BLOCK);
  v128.store(out, v128.load(STATE));
  v128.store(out, v128.load(STATE, 16), 16);
}
