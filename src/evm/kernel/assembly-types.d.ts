// The number types of AssemblyScript, so that TypeScript can compile assembly/shared/ as well: what kernel and host
// share is declared there once.
type u32 = number;
type usize = number;
