// All EVM instructions, one row each, with everything known about their opcodes. Kernel, host, error messages and tests
// use this table. kernel/README.md describes how to add a row.

/** Forks from London on that have added instructions. Gas costs before London differ, and are not in this table. */
export type OpcodeFork = 'london' | 'shanghai' | 'cancun' | 'osaka' | 'amsterdam';

/**
 * A memory range that an instruction accesses: stack positions of its offset and length (0 is the top), or a fixed
 * number of bytes.
 */
export type MemoryOperand =
  | { readonly offset: number; readonly length: number }
  | { readonly offset: number; readonly bytes: number };

/** Properties of an instruction besides what it computes. */
interface OpcodeTraits {
  /**
   * The fork that added the instruction. `london` stands for London and all earlier forks; `null` means never added.
   */
  readonly since: OpcodeFork | null;
  readonly memory: readonly MemoryOperand[];
  /**
   * `block`: a basic block ends after the instruction, because gas is observable or a jump may follow. `flow`:
   * execution never continues after the instruction.
   */
  readonly ends: 'block' | 'flow' | null;
  /** True if the instruction fails in a static frame, whatever its operands are (EIP-214). */
  readonly writes: boolean;
  /** Static gas of the instruction from a later fork on; `null` if its static gas never changes. */
  readonly repriced: { readonly since: OpcodeFork; readonly gas: number } | null;
}

export interface Opcode extends OpcodeTraits {
  readonly code: number;
  /** Name of the instruction in go-ethereum. */
  readonly name: string;
  /** Number of stack items popped and pushed. */
  readonly popped: number;
  readonly pushed: number;
  /**
   * Static gas (yellow paper, appendix G): without memory, copying, account access (EIP-2929), and gas given to a call.
   */
  readonly gas: number;
}

const TRAITS: OpcodeTraits = { since: 'london', memory: [], ends: null, writes: false, repriced: null };
/** Static gas of creations from Amsterdam on, without the state gas of the new account (EIP-8038). */
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

/** A memory range whose offset and length are stack items at these positions. */
function range(offset: number, length: number): Pick<OpcodeTraits, 'memory'> {
  return { memory: [{ offset, length }] };
}

/**
 * The two ranges of a copy within memory: target and source are on top of the stack, and the length is at this
 * position.
 */
function copied(length: number): Pick<OpcodeTraits, 'memory'> {
  return { memory: [...range(0, length).memory, ...range(1, length).memory] };
}

/** A memory range of `count` bytes; the offset is on top of the stack. */
function bytes(count: number): Partial<OpcodeTraits> {
  return { memory: [{ offset: 0, bytes: count }] };
}

/** Input and output of a call. `input` is the stack position of the input's offset. */
function inputAndOutput(input: number): Partial<OpcodeTraits> {
  return {
    memory: [...range(input, input + 1).memory, ...range(input + 2, input + 3).memory],
    ends: 'block',
  };
}

function numbered(count: number, make: (i: number) => Opcode): Opcode[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

/** All instructions in the order of their opcodes. */
export const OPCODES: readonly Opcode[] = [
  //   code  name            popped pushed gas
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

  // The byte after these instructions selects stack items (EIP-8024).
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
