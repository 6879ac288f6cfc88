// Kinds of precompiles as the host writes them to PRECOMPILES; 0 for none.

/** Run by the host: the kernel returns PRECOMPILE. */
export const HOST: u32 = 1;
/** Run by the kernel: address 4, which copies its input. */
export const IDENTITY: u32 = 2;
/** Run by the kernel: address 2. */
export const SHA256: u32 = 3;
