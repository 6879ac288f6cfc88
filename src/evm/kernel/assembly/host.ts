// What the kernel asks of its host. Addresses are of this memory; answers other than 0 (or lengths below 0) mean that the
// host cannot tell yet: the execution is given up, and the host knows why.

/** Fills account fields of the entry at `account`, whose address is there. Answers bits of `ACCOUNT_FLAG_*`, or -1. */
@external("host", "account")
export declare function hostAccount(account: usize): i32;

/** Writes the word of the slot, least limb first, to `out`. 0, 1 for a value of this job only, or -1. */
@external("host", "storage")
export declare function hostStorage(address: usize, key: usize, out: usize): i32;

/** Writes the code with this hash to `out`, if it has room. Bytes, -1 where it is not known yet, -2 where room is lacking. */
@external("host", "code")
export declare function hostCode(hash: usize, out: usize, room: u32): i32;

/** Writes the hash of a block, a word, to `out`. */
@external("host", "blockHash")
export declare function hostBlockHash(number: u64, out: usize): i32;

/** Milliseconds, `performance.now()`. */
@external("host", "now")
export declare function hostNow(): f64;
