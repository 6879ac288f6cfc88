// AssemblyScript's number types, so that TypeScript compiles assembly/shared/ as well: what kernel and host share is
// declared there once.
type u32 = number;
type usize = number;
