// SHA-256 (FIPS 180-4).
const BLOCK: u32 = 64;
const LENGTH_BYTES: u32 = 8;
const ROUNDS: usize = 64;
const CONSTANTS: usize = memory.data<u32>([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
], 16);
const INITIAL: usize = memory.data<u32>([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
], 16);
const STATE: usize = memory.data(32, 16);
const SCHEDULE: usize = memory.data(256, 16);
const LAST_BLOCK: usize = memory.data(64, 16);

/** Expands the 16 big-endian words of an input block to the 64 words of the rounds. */
@inline
function expand(block: usize): void {
  for (let at: usize = 0; at < 64; at += 4) store<u32>(SCHEDULE + at, bswap<u32>(load<u32>(block + at)));
  for (let at = SCHEDULE + 64; at < SCHEDULE + 4 * ROUNDS; at += 4) {
    const x = load<u32>(at - 60);
    const y = load<u32>(at - 8);
    const s0 = rotr(x, 7) ^ rotr(x, 18) ^ (x >> 3);
    const s1 = rotr(y, 17) ^ rotr(y, 19) ^ (y >> 10);
    store<u32>(at, load<u32>(at - 64) + s0 + load<u32>(at - 28) + s1);
  }
}

@inline
function addState(offset: usize, value: u32): void {
  store<u32>(STATE + offset, load<u32>(STATE + offset) + value);
}

function compress(block: usize): void {
  expand(block);
  let a = load<u32>(STATE);
  let b = load<u32>(STATE, 4);
  let c = load<u32>(STATE, 8);
  let d = load<u32>(STATE, 12);
  let e = load<u32>(STATE, 16);
  let f = load<u32>(STATE, 20);
  let g = load<u32>(STATE, 24);
  let h = load<u32>(STATE, 28);
  for (let at: usize = 0; at < 4 * ROUNDS; at += 4) {
    const s1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25);
    const t1 = h + s1 + (g ^ (e & (f ^ g))) + load<u32>(CONSTANTS + at) + load<u32>(SCHEDULE + at);
    const s0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22);
    const t2 = s0 + ((a & b) | (c & (a | b)));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  addState(0, a);
  addState(4, b);
  addState(8, c);
  addState(12, d);
  addState(16, e);
  addState(20, f);
  addState(24, g);
  addState(28, h);
}

/** Pads the end of the input, in one block or two: a one bit, zeros, and the input's length in bits. */
@inline
function finish(rest: usize, count: u32, length: u32): void {
  memory.fill(LAST_BLOCK, 0, BLOCK);
  memory.copy(LAST_BLOCK, rest, count);
  store<u8>(LAST_BLOCK + count, 0x80);
  if (count + 1 + LENGTH_BYTES > BLOCK) {
    compress(LAST_BLOCK);
    memory.fill(LAST_BLOCK, 0, BLOCK);
  }
  store<u64>(LAST_BLOCK + BLOCK - LENGTH_BYTES, bswap<u64>(<u64>length << 3));
  compress(LAST_BLOCK);
}

/**
 * Writes the SHA-256 hash of `length` bytes at `input` to `out`, as 32 bytes, big endian. `out` may overlap the input.
 */
export function sha256(out: usize, input: usize, length: u32): void {
  memory.copy(STATE, INITIAL, 32);
  let rest = length;
  for (; rest >= BLOCK; rest -= BLOCK, input += BLOCK) compress(input);
  finish(input, rest, length);
  for (let at: usize = 0; at < 32; at += 4) store<u32>(out + at, bswap<u32>(load<u32>(STATE + at)));
}
