// Secret factors of the hash functions that find accounts, slots and cached hashes in their tables. Because they are
// secret, nobody can choose keys that collide.

/** Factor for the first limb of a key. */
export let saltOfFirstLimb: u64 = 0x9e3779b97f4a7c15;
/** Factor for the second limb of a key. */
export let saltOfSecondLimb: u64 = 0xc2b2ae3d27d4eb4f;
/** Factor for the third limb of a key. */
export let saltOfThirdLimb: u64 = 0x165667b19e3779f9;
/** Factor for the fourth limb of a key. */
export let saltOfFourthLimb: u64 = 0x27d4eb2f165667c5;
/** Factor for the account of a slot. */
export let saltOfAccount: u64 = 0x85ebca6b9e3779b1;

/** Sets the factors to five odd random numbers. Called once, before any hash table has an entry. */
export function setSalt(a: u64, b: u64, c: u64, d: u64, e: u64): void {
  saltOfFirstLimb = a;
  saltOfSecondLimb = b;
  saltOfThirdLimb = c;
  saltOfFourthLimb = d;
  saltOfAccount = e;
}

/**
 * Last step of a hash: mixes the sum of all limbs times their factors, so that its high bits, which are the table
 * index, depend on all bits of the sum.
 */
@inline
export function mixSaltedSum(sum: u64): u64 {
  const h = sum ^ (sum >> 32);
  return h * 0xd6e8feb86659fd93;
}
