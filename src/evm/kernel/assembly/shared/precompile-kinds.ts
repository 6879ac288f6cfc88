// Kinds of precompiles, as the host writes them to PRECOMPILES; 0 for no precompile.

/** Run by the host: `runMessage` returns PRECOMPILE. */
export const HOST: u32 = 1;
/** Identity, the precompile at address 4, which returns its input. Run by the kernel. */
export const IDENTITY: u32 = 2;
/** SHA-256, the precompile at address 2. Run by the kernel. */
export const SHA256: u32 = 3;
