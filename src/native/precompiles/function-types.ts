// Types of the addon's precompile functions. The main thread only checks which of them exist.

/** Status codes that a native precompile returns; the same numbers as in status.h. */
export const PRECOMPILE_STATUS = { done: 0, false: 1, notOnCurve: 2, notInField: 3 } as const;

/**
 * Computes `output` and returns a PRECOMPILE_STATUS. Throws if an array does not have the length that the EIP defines.
 */
export type ComputePrecompile = (input: Uint8Array, output: Uint8Array) => number;
/** Checks an input and returns a PRECOMPILE_STATUS. */
export type VerificationPrecompile = (input: Uint8Array) => number;

export interface NonBlsFunctions {
  readonly bn254Add: ComputePrecompile;
  readonly bn254Mul: ComputePrecompile;
  readonly bn254Pairing: VerificationPrecompile;
  readonly p256Verify: VerificationPrecompile;
  readonly blake2f: ComputePrecompile;
  modexp(base: Uint8Array, exponent: Uint8Array, modulus: Uint8Array, output: Uint8Array): number;
}

export interface BlsFunctions {
  readonly blsG1Add: ComputePrecompile;
  readonly blsG2Add: ComputePrecompile;
  readonly blsG1Msm: ComputePrecompile;
  readonly blsG2Msm: ComputePrecompile;
  readonly blsPairing: VerificationPrecompile;
  readonly blsMapG1: ComputePrecompile;
  readonly blsMapG2: ComputePrecompile;
  /**
   * Verifies a KZG proof. `input` has z, y, commitment and proof; `setup` is [s]G2 of the trusted setup, compressed.
   */
  kzgVerify(input: Uint8Array, setup: Uint8Array): number;
}
