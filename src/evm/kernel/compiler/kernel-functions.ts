// Kernel functions that compiled code calls, by the operation that they implement.

/** Kernel functions that only get the top of the stack. */
const PLAIN = [
  'MUL',
  'DIV',
  'SDIV',
  'MOD',
  'SMOD',
  'ADDMOD',
  'MULMOD',
  'SIGNEXTEND',
  'BYTE',
  'SHL',
  'SHR',
  'SAR',
  'CLZ',
  'CALLER',
  'CALLVALUE',
  'CALLDATALOAD',
  'CALLDATASIZE',
  'RETURNDATASIZE',
  'TIMESTAMP',
  'NUMBER',
  'CHAINID',
] as const;
/** Kernel functions that charge gas themselves, or can fail (assembly/code/jit-helpers.ts). */
const PAYING = ['KECCAK256', 'SLOAD', 'TLOAD', 'BALANCE', 'SELFBALANCE', 'EXTCODESIZE', 'EXTCODEHASH'] as const;

export interface KernelFunction {
  readonly name: string;
  readonly kind: 'extend' | 'plain' | 'paying';
}

/**
 * All imported functions by WebAssembly function index. The first one extends memory. Traces get the indices after
 * them.
 */
export const KERNEL_FUNCTIONS: readonly KernelFunction[] = [
  { name: 'memoryExpansionCost', kind: 'extend' },
  ...PLAIN.map((name) => ({ name, kind: 'plain' }) as const),
  ...PAYING.map((name) => ({ name, kind: 'paying' }) as const),
];
const INDICES = new Map(KERNEL_FUNCTIONS.map(({ name }, index) => [name, index]));

/** Returns the index of the kernel function for an operation; undefined if there is none. */
export function kernelFunctionIndex(name: string): number | undefined {
  return INDICES.get(name);
}

/** Index of the kernel function that extends memory. */
export const EXTEND_MEMORY_INDEX = 0;
