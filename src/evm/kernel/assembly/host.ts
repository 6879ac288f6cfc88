// Functions of the host (JavaScript) that the kernel calls. Pointers are addresses in the kernel's memory. If the host
// does not know a value yet, it records what is missing and returns a negative result, which aborts the execution.

/**
 * Fills in balance, nonce and code hash of an account entry whose address is set. Returns the base flags
 * (account-fields.ts), or -1 to abort.
 */
@external("host", "account")
export declare function hostAccount(account: usize): i32;

/**
 * Writes the value of a slot to `out`, least significant limb first. Returns 0, or 1 if the value is only valid in this
 * job, or -1 to abort because the value is not known yet.
 */
@external("host", "storage")
export declare function hostStorage(address: usize, key: usize, out: usize): i32;

/** Writes the code with this hash to `out`. Returns its length; -1 if it is unknown, -2 if it is longer than `room`. */
@external("host", "code")
export declare function hostCode(hash: usize, out: usize, room: u32): i32;

/** Writes the hash of a block to `out` as a word; zero if there is none. Returns 0, or -1 to abort. */
@external("host", "blockHash")
export declare function hostBlockHash(number: u64, out: usize): i32;

/**
 * Reports, for a message with FLAG_HOOKED, that the instruction `opcode` starts a call frame, or that the frame is
 * refused at once. `value` is a word. SELFDESTRUCT counts as a frame that ends at once. Returns 0, or -1 to abort.
 */
@external("host", "entered")
export declare function hostEntered(
  opcode: u32,
  from: usize,
  to: usize,
  value: usize,
  input: usize,
  bytes: u32,
  gas: i64,
): i32;

/**
 * Reports that the innermost frame ends: how it ended and why it failed (both in status.ts), the gas that it used, and
 * its output of `bytes` bytes. Returns 0, or -1 to abort.
 */
@external("host", "left")
export declare function hostLeft(how: u32, reason: u32, gas: i64, output: usize, bytes: u32): i32;

/** Reports that the innermost frame has made a log (log-fields.ts). Returns 0, or -1 to abort. */
@external("host", "logged")
export declare function hostLogged(log: usize): i32;

/**
 * Reports the address at which a CREATE or CREATE2 that was paid for is to create a contract. Returns 0, or -1 to
 * abort.
 */
@external("host", "creates")
export declare function hostCreates(address: usize): i32;

/** Returns `performance.now()` in milliseconds. */
@external("host", "now")
export declare function hostNow(): f64;
