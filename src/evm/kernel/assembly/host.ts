// Questions of the kernel to its host. Pointers lead into the kernel's memory. A negative answer means that the host
// cannot tell yet: the execution is given up, and the host knows why.

/**
 * Fills the base fields of the account's entry, whose address is there. Answers base flags (account-fields.ts), or -1.
 */
@external("host", "account")
export declare function hostAccount(account: usize): i32;

/** Writes the slot's word, least limb first, to `out`. Answers 0, 1 for a value of this job only, or -1. */
@external("host", "storage")
export declare function hostStorage(address: usize, key: usize, out: usize): i32;

/** Writes the code with this hash to `out`. Answers its length, -1 where it is not known yet, -2 where room lacks. */
@external("host", "code")
export declare function hostCode(hash: usize, out: usize, room: u32): i32;

/** Writes the hash of a block, as a word, to `out`; zero where there is none. Answers 0, or -1. */
@external("host", "blockHash")
export declare function hostBlockHash(number: u64, out: usize): i32;

/** `performance.now()`, in milliseconds. */
@external("host", "now")
export declare function hostNow(): f64;
