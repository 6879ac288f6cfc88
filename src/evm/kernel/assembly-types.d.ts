// AssemblyScript's names for numbers, so that TypeScript reads assembly/shared/ as well: what kernel and host have in
// common is declared there once, and compiled into both.
type u32 = number;
type usize = number;
