// Functions that the kernel calls on its host. Pointers are addresses in the kernel's memory. A negative result means
// that the host does not know the value yet: the execution is aborted, and the host has recorded why.

/** Fills the base fields of the entry, which has the address. Returns base flags (account-fields.ts), or -1. */
@external("host", "account")
export declare function hostAccount(account: usize): i32;

/**
 * Writes the slot's word, least limb first, to `out`. Returns 0, or 1 for a value that is only valid in this job, or
 * -1.
 */
@external("host", "storage")
export declare function hostStorage(address: usize, key: usize, out: usize): i32;

/** Writes the code with this hash to `out`. Returns its length, -1 if it is unknown, -2 if longer than `room`. */
@external("host", "code")
export declare function hostCode(hash: usize, out: usize, room: u32): i32;

/** Writes the hash of a block, as a word, to `out`; zero if there is none. Returns 0, or -1. */
@external("host", "blockHash")
export declare function hostBlockHash(number: u64, out: usize): i32;

/**
 * For a message with FLAG_HOOKED: a frame starts, or is refused at once, by the instruction `opcode`. `value` is a
 * word. SELFDESTRUCT counts as a frame that ends at once. Returns 0, or -1.
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

/** The innermost frame ends: how (status.ts), why if not well, gas used, `bytes` of output. Returns 0, or -1. */
@external("host", "left")
export declare function hostLeft(how: u32, reason: u32, gas: i64, output: usize, bytes: u32): i32;

/** The innermost frame has made the log (log-fields.ts). Returns 0, or -1. */
@external("host", "logged")
export declare function hostLogged(log: usize): i32;

/** The running CREATE or CREATE2 was paid for, and is to make a contract at this address. Returns 0, or -1. */
@external("host", "creates")
export declare function hostCreates(address: usize): i32;

/** `performance.now()`, in milliseconds. */
@external("host", "now")
export declare function hostNow(): f64;
