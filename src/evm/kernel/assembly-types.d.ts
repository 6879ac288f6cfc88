// Number types of AssemblyScript, so that TypeScript can also compile assembly/shared/, where everything that kernel
// and host share is declared once.
type u32 = number;
type usize = number;
