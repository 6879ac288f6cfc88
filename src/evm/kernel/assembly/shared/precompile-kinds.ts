// Kinds of precompiles, as the host writes them to PRECOMPILES; 0: none. Runs on publisher and estimators.

/** Run by the host. */
export const HOST: u32 = 1;
export const IDENTITY: u32 = 2;
export const SHA256: u32 = 3;
