// Secret factors of the hash functions by which accounts, slots and cached digests are found, so that nobody can choose
// colliding keys.

/** Factor of a key's first limb. */
export let saltOfFirstLimb: u64 = 0x9e3779b97f4a7c15;
/** Factor of a key's second limb. */
export let saltOfSecondLimb: u64 = 0xc2b2ae3d27d4eb4f;
/** Factor of a key's third limb. */
export let saltOfThirdLimb: u64 = 0x165667b19e3779f9;
/** Factor of a key's fourth limb. */
export let saltOfFourthLimb: u64 = 0x27d4eb2f165667c5;
/** Factor of the account to which a slot belongs. */
export let saltOfAccount: u64 = 0x85ebca6b9e3779b1;

/** Sets the factors, five odd random numbers. Called once, before any table has an entry. */
export function setSalt(a: u64, b: u64, c: u64, d: u64, e: u64): void {
  saltOfFirstLimb = a;
  saltOfSecondLimb = b;
  saltOfThirdLimb = c;
  saltOfFourthLimb = d;
  saltOfAccount = e;
}

/** Mixes a sum of products so that its high bits, which are the table index, depend on all others. */
@inline
export function mixSaltedSum(sum: u64): u64 {
  const h = sum ^ (sum >> 32);
  return h * 0xd6e8feb86659fd93;
}
