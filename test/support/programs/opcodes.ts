// What the instructions are called, what they take and give, and since when there are any.

/** An instruction. */
export interface Opcode {
  readonly name: string;
  readonly code: number;
  readonly taken: number;
  readonly given: number;
  /** First fork, of those that programs are written for. */
  readonly since: Fork;
}

/** The forks that programs are written for, in their order. */
export const FORKS = ['shanghai', 'cancun', 'prague', 'osaka'] as const;
export type Fork = (typeof FORKS)[number];

const CANCUN = new Set(['TLOAD', 'TSTORE', 'MCOPY', 'BLOBHASH', 'BLOBBASEFEE']);

/** `NAME/taken/given`, a row from each code given first. */
const ROWS: readonly (readonly [first: number, names: string])[] = [
  [0x00, 'STOP/0/0 ADD/2/1 MUL/2/1 SUB/2/1 DIV/2/1 SDIV/2/1 MOD/2/1 SMOD/2/1 ADDMOD/3/1 MULMOD/3/1 EXP/2/1'],
  [0x0b, 'SIGNEXTEND/2/1'],
  [0x10, 'LT/2/1 GT/2/1 SLT/2/1 SGT/2/1 EQ/2/1 ISZERO/1/1 AND/2/1 OR/2/1 XOR/2/1 NOT/1/1 BYTE/2/1'],
  [0x1b, 'SHL/2/1 SHR/2/1 SAR/2/1 CLZ/1/1'],
  [0x20, 'KECCAK256/2/1'],
  [0x30, 'ADDRESS/0/1 BALANCE/1/1 ORIGIN/0/1 CALLER/0/1 CALLVALUE/0/1 CALLDATALOAD/1/1 CALLDATASIZE/0/1'],
  [0x37, 'CALLDATACOPY/3/0 CODESIZE/0/1 CODECOPY/3/0 GASPRICE/0/1 EXTCODESIZE/1/1 EXTCODECOPY/4/0'],
  [0x3d, 'RETURNDATASIZE/0/1 RETURNDATACOPY/3/0 EXTCODEHASH/1/1 BLOCKHASH/1/1 COINBASE/0/1 TIMESTAMP/0/1'],
  [0x43, 'NUMBER/0/1 PREVRANDAO/0/1 GASLIMIT/0/1 CHAINID/0/1 SELFBALANCE/0/1 BASEFEE/0/1 BLOBHASH/1/1'],
  [0x4a, 'BLOBBASEFEE/0/1'],
  [0x50, 'POP/1/0 MLOAD/1/1 MSTORE/2/0 MSTORE8/2/0 SLOAD/1/1 SSTORE/2/0 JUMP/1/0 JUMPI/2/0 PC/0/1 MSIZE/0/1'],
  [0x5a, 'GAS/0/1 JUMPDEST/0/0 TLOAD/1/1 TSTORE/2/0 MCOPY/3/0'],
  [0xa0, 'LOG0/2/0 LOG1/3/0 LOG2/4/0 LOG3/5/0 LOG4/6/0'],
  [0xf0, 'CREATE/3/1 CALL/7/1 CALLCODE/7/1 RETURN/2/0 DELEGATECALL/6/1 CREATE2/4/1'],
  [0xfa, 'STATICCALL/6/1'],
  [0xfd, 'REVERT/2/0 INVALID/0/0 SELFDESTRUCT/1/0'],
];

/** Every instruction to Osaka, by name. */
export const OPCODES: ReadonlyMap<string, Opcode> = new Map(all().map((opcode) => [opcode.name, opcode]));

const BY_CODE = new Map([...OPCODES.values()].map((opcode) => [opcode.code, opcode]));

export function opcodeAt(code: number): Opcode | undefined {
  return BY_CODE.get(code);
}

/** True when `fork` has the instruction. */
export function isKnown(opcode: Opcode, fork: Fork): boolean {
  return FORKS.indexOf(fork) >= FORKS.indexOf(opcode.since);
}

/** One instruction a line, with its place. */
export function disassemble(code: Uint8Array): string[] {
  const lines: string[] = [];
  for (let at = 0; at < code.length; at++) {
    const byte = code[at]!;
    const pushed = byte > 0x5f && byte < 0x80 ? byte - 0x5f : 0;
    const data = Buffer.from(code.subarray(at + 1, at + 1 + pushed)).toString('hex');
    lines.push(`${at} ${opcodeAt(byte)?.name ?? `0x${byte.toString(16)}`}${pushed > 0 ? ` 0x${data}` : ''}`);
    at += pushed;
  }
  return lines;
}

function all(): Opcode[] {
  const list = ROWS.flatMap(([first, names]) => names.split(' ').map((text, i) => parse(first + i, text)));
  const row = (first: number, length: number, text: (i: number) => string): void => {
    for (let i = 0; i < length; i++) list.push(parse(first + i, text(i)));
  };
  row(0x5f, 33, (i) => `PUSH${i}/0/1`);
  row(0x80, 16, (i) => `DUP${i + 1}/${i + 1}/${i + 2}`);
  row(0x90, 16, (i) => `SWAP${i + 1}/${i + 2}/${i + 2}`);
  return list;
}

function parse(code: number, text: string): Opcode {
  const [name = '', taken, given] = text.split('/');
  const since = name === 'CLZ' ? 'osaka' : CANCUN.has(name) ? 'cancun' : 'shanghai';
  return { name, code, taken: Number(taken), given: Number(given), since };
}
