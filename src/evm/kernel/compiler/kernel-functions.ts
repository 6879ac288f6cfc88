// Functions of the kernel that traces call, by the operations that they execute. Runs on publisher and estimators.

/** Given the top of the stack alone. */
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
/** Functions that pay by themselves, or may fail (assembly/code/compiled.ts). */
const PAYING = ['KECCAK256', 'SLOAD', 'TLOAD', 'BALANCE', 'SELFBALANCE', 'EXTCODESIZE', 'EXTCODEHASH'] as const;

/** One of them: its name, and how it is called. */
export interface KernelFunction {
  readonly name: string;
  readonly kind: 'extend' | 'plain' | 'paying';
}

/** All, in the order of their indices; the first one makes memory longer. Traces are numbered behind them. */
export const KERNEL_FUNCTIONS: readonly KernelFunction[] = [
  { name: 'extend', kind: 'extend' },
  ...PLAIN.map((name) => ({ name, kind: 'plain' }) as const),
  ...PAYING.map((name) => ({ name, kind: 'paying' }) as const),
];
/** Indices by name. */
const INDICES = new Map(KERNEL_FUNCTIONS.map(({ name }, index) => [name, index]));

/** The index of a function; undefined where the kernel has none for that operation. */
export function indexOf(name: string): number | undefined {
  return INDICES.get(name);
}

/** Index of the function that makes memory longer. */
export const EXTEND = 0;
