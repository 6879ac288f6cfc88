// Numbers that the kernel and its host have in common beside the layout: fields of entries (assembly/account-fields.ts,
// slot-fields.ts), how executions end and why frames fail (assembly/status.ts). Runs on publisher and estimators.

/** Offsets in an account's entry, after its address; flags. */
export const ACCOUNT = {
  flags: 28,
  balance: 32,
  codeHash: 64,
  nonce: 96,
  code: 104,
  incarnation: 112,
  baseFlags: 116,
  baseIncarnation: 124,
  baseBalance: 128,
  baseCodeHash: 160,
  baseNonce: 192,
} as const;

export const ACCOUNT_FLAG = { destroyed: 8, touched: 16 } as const;
export const BASE_FLAG = { exists: 1, ofJob: 2 } as const;

/** Offsets in a slot's entry, after its key. */
export const SLOT = { account: 32, incarnation: 36, value: 64, base: 96 } as const;

/** Offsets in a code, after its hash. */
export const CODE = { length: 32, bytes: 36 } as const;

/** What `run` and `resume` answer. */
export const STATUS = { success: 0, revert: 1, halt: 2, deadline: 3, miss: 4, full: 5, precompile: 6 } as const;

/** Why a frame halted. */
export const HALT = {
  outOfGas: 1,
  stackUnderflow: 2,
  stackOverflow: 3,
  invalidOpcode: 4,
  invalidJump: 5,
  staticChange: 6,
  initcodeSize: 7,
  collision: 8,
  codeSize: 9,
  codeInvalid: 10,
  codeStoreGas: 11,
  insufficientBalance: 12,
  valueOverflow: 13,
  precompileFailed: 14,
} as const;

/** Flags at RULES. */
export const RULE = { initcode: 1, destroysNewOnly: 2, delegation: 4 } as const;

/** Kinds of precompiles at PRECOMPILES. */
export const PRECOMPILE = { host: 1, identity: 2, sha256: 3 } as const;
