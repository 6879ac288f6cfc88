// The instructions of the EVM, one row each, with everything that is known about an opcode. Kernel, host, error
// messages and tests use this table. kernel/README.md says how to add a row.

/** Forks from London on that have added instructions. Before London, gas costs are different. */
export type OpcodeFork = 'london' | 'shanghai' | 'cancun' | 'osaka' | 'amsterdam';

/** Memory that an instruction accesses: its operands' positions on the stack, 0 the top; or a number of bytes. */
export type MemoryOperand =
  | { readonly offset: number; readonly length: number }
  | { readonly offset: number; readonly bytes: number };

/** Properties of an instruction besides what it does. */
interface OpcodeTraits {
  /** The fork that has added it; `london` stands for all earlier forks as well, `null` for none. */
  readonly since: OpcodeFork | null;
  readonly memory: readonly MemoryOperand[];
  /** `block`: gas is observable, or a jump may follow: a block starts. `flow`: execution never continues here. */
  readonly ends: 'block' | 'flow' | null;
  /** EIP-214: fails in a static frame, whatever its operands are. */
  readonly writes: boolean;
  /** Its own gas from a later fork on; `null` if it does not change. */
  readonly repriced: { readonly since: OpcodeFork; readonly gas: number } | null;
}

export interface Opcode extends OpcodeTraits {
  readonly code: number;
  /** Its name as in go-ethereum. */
  readonly name: string;
  /** Items popped from the stack, and items pushed. */
  readonly popped: number;
  readonly pushed: number;
  /** Its own gas (yellow paper, appendix G), without memory, copying, access (EIP-2929), and what a call gets. */
  readonly gas: number;
}

const TRAITS: OpcodeTraits = { since: 'london', memory: [], ends: null, writes: false, repriced: null };
/** EIP-8038: access and write of a creation, without the account that it may create. */
const CREATE_ACCESS = { since: 'amsterdam', gas: 12_000 } as const;

function row(
  code: number,
  name: string,
  popped: number,
  pushed: number,
  gas: number,
  traits?: Partial<OpcodeTraits>,
): Opcode {
  return { code, name, popped, pushed, gas, ...TRAITS, ...traits };
}

/** The memory between an offset and a length on the stack. */
function range(offset: number, length: number): Pick<OpcodeTraits, 'memory'> {
  return { memory: [{ offset, length }] };
}

/** Both ranges of a copy within memory. Target and source are on top of the stack, followed by their length. */
function copied(length: number): Pick<OpcodeTraits, 'memory'> {
  return { memory: [...range(0, length).memory, ...range(1, length).memory] };
}

/** `count` bytes of memory from the offset on top of the stack. */
function bytes(count: number): Partial<OpcodeTraits> {
  return { memory: [{ offset: 0, bytes: count }] };
}

/** A call's input and output; the input's offset is at this position. */
function inputAndOutput(input: number): Partial<OpcodeTraits> {
  return {
    memory: [...range(input, input + 1).memory, ...range(input + 2, input + 3).memory],
    ends: 'block',
  };
}

function numbered(count: number, make: (i: number) => Opcode): Opcode[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

/** Rows in the order of their codes. */
export const OPCODES: readonly Opcode[] = [
  //   code  name            taken given gas
  row(0x00, 'STOP', 0, 0, 0, { ends: 'flow' }),
  row(0x01, 'ADD', 2, 1, 3),
  row(0x02, 'MUL', 2, 1, 5),
  row(0x03, 'SUB', 2, 1, 3),
  row(0x04, 'DIV', 2, 1, 5),
  row(0x05, 'SDIV', 2, 1, 5),
  row(0x06, 'MOD', 2, 1, 5),
  row(0x07, 'SMOD', 2, 1, 5),
  row(0x08, 'ADDMOD', 3, 1, 8),
  row(0x09, 'MULMOD', 3, 1, 8),
  row(0x0a, 'EXP', 2, 1, 10),
  row(0x0b, 'SIGNEXTEND', 2, 1, 5),

  row(0x10, 'LT', 2, 1, 3),
  row(0x11, 'GT', 2, 1, 3),
  row(0x12, 'SLT', 2, 1, 3),
  row(0x13, 'SGT', 2, 1, 3),
  row(0x14, 'EQ', 2, 1, 3),
  row(0x15, 'ISZERO', 1, 1, 3),
  row(0x16, 'AND', 2, 1, 3),
  row(0x17, 'OR', 2, 1, 3),
  row(0x18, 'XOR', 2, 1, 3),
  row(0x19, 'NOT', 1, 1, 3),
  row(0x1a, 'BYTE', 2, 1, 3),
  row(0x1b, 'SHL', 2, 1, 3),
  row(0x1c, 'SHR', 2, 1, 3),
  row(0x1d, 'SAR', 2, 1, 3),
  row(0x1e, 'CLZ', 1, 1, 5, { since: 'osaka' }),

  row(0x20, 'KECCAK256', 2, 1, 30, range(0, 1)),

  row(0x30, 'ADDRESS', 0, 1, 2),
  row(0x31, 'BALANCE', 1, 1, 0),
  row(0x32, 'ORIGIN', 0, 1, 2),
  row(0x33, 'CALLER', 0, 1, 2),
  row(0x34, 'CALLVALUE', 0, 1, 2),
  row(0x35, 'CALLDATALOAD', 1, 1, 3),
  row(0x36, 'CALLDATASIZE', 0, 1, 2),
  row(0x37, 'CALLDATACOPY', 3, 0, 3, range(0, 2)),
  row(0x38, 'CODESIZE', 0, 1, 2),
  row(0x39, 'CODECOPY', 3, 0, 3, range(0, 2)),
  row(0x3a, 'GASPRICE', 0, 1, 2),
  row(0x3b, 'EXTCODESIZE', 1, 1, 0),
  row(0x3c, 'EXTCODECOPY', 4, 0, 0, range(1, 3)),
  row(0x3d, 'RETURNDATASIZE', 0, 1, 2),
  row(0x3e, 'RETURNDATACOPY', 3, 0, 3, range(0, 2)),
  row(0x3f, 'EXTCODEHASH', 1, 1, 0),

  row(0x40, 'BLOCKHASH', 1, 1, 20),
  row(0x41, 'COINBASE', 0, 1, 2),
  row(0x42, 'TIMESTAMP', 0, 1, 2),
  row(0x43, 'NUMBER', 0, 1, 2),
  row(0x44, 'PREVRANDAO', 0, 1, 2),
  row(0x45, 'GASLIMIT', 0, 1, 2),
  row(0x46, 'CHAINID', 0, 1, 2),
  row(0x47, 'SELFBALANCE', 0, 1, 5),
  row(0x48, 'BASEFEE', 0, 1, 2),
  row(0x49, 'BLOBHASH', 1, 1, 3, { since: 'cancun' }),
  row(0x4a, 'BLOBBASEFEE', 0, 1, 2, { since: 'cancun' }),
  row(0x4b, 'SLOTNUM', 0, 1, 2, { since: 'amsterdam' }),

  row(0x50, 'POP', 1, 0, 2),
  row(0x51, 'MLOAD', 1, 1, 3, bytes(32)),
  row(0x52, 'MSTORE', 2, 0, 3, bytes(32)),
  row(0x53, 'MSTORE8', 2, 0, 3, bytes(1)),
  row(0x54, 'SLOAD', 1, 1, 0),
  row(0x55, 'SSTORE', 2, 0, 0, { ends: 'block', writes: true }),
  row(0x56, 'JUMP', 1, 0, 8, { ends: 'flow' }),
  row(0x57, 'JUMPI', 2, 0, 10, { ends: 'block' }),
  row(0x58, 'PC', 0, 1, 2),
  row(0x59, 'MSIZE', 0, 1, 2),
  row(0x5a, 'GAS', 0, 1, 2, { ends: 'block' }),
  row(0x5b, 'JUMPDEST', 0, 0, 1),
  row(0x5c, 'TLOAD', 1, 1, 100, { since: 'cancun' }),
  row(0x5d, 'TSTORE', 2, 0, 100, { since: 'cancun', writes: true }),
  row(0x5e, 'MCOPY', 3, 0, 3, { since: 'cancun', ...copied(2) }),
  row(0x5f, 'PUSH0', 0, 1, 2, { since: 'shanghai' }),
  ...numbered(32, (i) => row(0x60 + i, `PUSH${i + 1}`, 0, 1, 3)),
  ...numbered(16, (i) => row(0x80 + i, `DUP${i + 1}`, i + 1, i + 2, 3)),
  ...numbered(16, (i) => row(0x90 + i, `SWAP${i + 1}`, i + 2, i + 2, 3)),
  ...numbered(5, (i) => row(0xa0 + i, `LOG${i}`, i + 2, 0, 375 * (i + 1), { ...range(0, 1), writes: true })),

  // The byte after them says which items they use (EIP-8024).
  row(0xe6, 'DUPN', 0, 1, 3, { since: 'amsterdam' }),
  row(0xe7, 'SWAPN', 0, 0, 3, { since: 'amsterdam' }),
  row(0xe8, 'EXCHANGE', 0, 0, 3, { since: 'amsterdam' }),

  row(0xf0, 'CREATE', 3, 1, 32_000, { ...range(1, 2), ends: 'block', writes: true, repriced: CREATE_ACCESS }),
  row(0xf1, 'CALL', 7, 1, 0, inputAndOutput(3)),
  row(0xf2, 'CALLCODE', 7, 1, 0, inputAndOutput(3)),
  row(0xf3, 'RETURN', 2, 0, 0, { ...range(0, 1), ends: 'flow' }),
  row(0xf4, 'DELEGATECALL', 6, 1, 0, inputAndOutput(2)),
  row(0xf5, 'CREATE2', 4, 1, 32_000, { ...range(1, 2), ends: 'block', writes: true, repriced: CREATE_ACCESS }),
  row(0xfa, 'STATICCALL', 6, 1, 0, inputAndOutput(2)),
  row(0xfd, 'REVERT', 2, 0, 0, { ...range(0, 1), ends: 'flow' }),
  row(0xfe, 'INVALID', 0, 0, 0, { since: null }),
  row(0xff, 'SELFDESTRUCT', 1, 0, 5000, { ends: 'flow', writes: true }),
];
