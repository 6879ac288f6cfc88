// Types of the precompile functions in the addon. Main only checks which of them exist.

/** The status codes that a native function returns; the same as in status.h. */
export const STATUS = { done: 0, false: 1, notOnCurve: 2, notInField: 3 } as const;

/** Fills `output` and returns a STATUS. Both arrays must have the lengths of the EIP, otherwise it throws. */
export type Compute = (input: Uint8Array, output: Uint8Array) => number;
/** Checks an input and returns a STATUS. */
export type Check = (input: Uint8Array) => number;

/** All functions except those of BLS12-381. */
export interface GeneralFunctions {
  readonly bn254Add: Compute;
  readonly bn254Mul: Compute;
  readonly bn254Pairing: Check;
  readonly p256Verify: Check;
  readonly blake2f: Compute;
  modexp(base: Uint8Array, exponent: Uint8Array, modulus: Uint8Array, output: Uint8Array): number;
}

export interface BlsFunctions {
  readonly blsG1Add: Compute;
  readonly blsG2Add: Compute;
  readonly blsG1Msm: Compute;
  readonly blsG2Msm: Compute;
  readonly blsPairing: Check;
  readonly blsMapG1: Compute;
  readonly blsMapG2: Compute;
  /** `input` has z, y, commitment and proof; `setup` is [s]G2 of the trusted setup, compressed. */
  kzgVerify(input: Uint8Array, setup: Uint8Array): number;
}
