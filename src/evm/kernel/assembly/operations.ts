// Numbers of operations: the EVM's opcodes, and from 0x100 on those that decoding makes.
export const STOP: u32 = 0x00;
export const ADD: u32 = 0x01;
export const MUL: u32 = 0x02;
export const SUB: u32 = 0x03;
export const DIV: u32 = 0x04;
export const SDIV: u32 = 0x05;
export const MOD: u32 = 0x06;
export const SMOD: u32 = 0x07;
export const ADDMOD: u32 = 0x08;
export const MULMOD: u32 = 0x09;
export const EXP: u32 = 0x0a;
export const SIGNEXTEND: u32 = 0x0b;
export const LT: u32 = 0x10;
export const GT: u32 = 0x11;
export const SLT: u32 = 0x12;
export const SGT: u32 = 0x13;
export const EQ: u32 = 0x14;
export const ISZERO: u32 = 0x15;
export const AND: u32 = 0x16;
export const OR: u32 = 0x17;
export const XOR: u32 = 0x18;
export const NOT: u32 = 0x19;
export const BYTE: u32 = 0x1a;
export const SHL: u32 = 0x1b;
export const SHR: u32 = 0x1c;
export const SAR: u32 = 0x1d;
export const CLZ: u32 = 0x1e;
export const KECCAK256: u32 = 0x20;
export const ADDRESS: u32 = 0x30;
export const BALANCE: u32 = 0x31;
export const ORIGIN: u32 = 0x32;
export const CALLER: u32 = 0x33;
export const CALLVALUE: u32 = 0x34;
export const CALLDATALOAD: u32 = 0x35;
export const CALLDATASIZE: u32 = 0x36;
export const CALLDATACOPY: u32 = 0x37;
export const CODESIZE: u32 = 0x38;
export const CODECOPY: u32 = 0x39;
export const GASPRICE: u32 = 0x3a;
export const EXTCODESIZE: u32 = 0x3b;
export const EXTCODECOPY: u32 = 0x3c;
export const RETURNDATASIZE: u32 = 0x3d;
export const RETURNDATACOPY: u32 = 0x3e;
export const EXTCODEHASH: u32 = 0x3f;
export const BLOCKHASH: u32 = 0x40;
export const COINBASE: u32 = 0x41;
export const TIMESTAMP: u32 = 0x42;
export const NUMBER: u32 = 0x43;
export const PREVRANDAO: u32 = 0x44;
export const GASLIMIT: u32 = 0x45;
export const CHAINID: u32 = 0x46;
export const SELFBALANCE: u32 = 0x47;
export const BASEFEE: u32 = 0x48;
export const BLOBHASH: u32 = 0x49;
export const BLOBBASEFEE: u32 = 0x4a;
export const POP: u32 = 0x50;
export const MLOAD: u32 = 0x51;
export const MSTORE: u32 = 0x52;
export const MSTORE8: u32 = 0x53;
export const SLOAD: u32 = 0x54;
export const SSTORE: u32 = 0x55;
export const JUMP: u32 = 0x56;
export const JUMPI: u32 = 0x57;
export const PC: u32 = 0x58;
export const MSIZE: u32 = 0x59;
export const GAS: u32 = 0x5a;
export const JUMPDEST: u32 = 0x5b;
export const TLOAD: u32 = 0x5c;
export const TSTORE: u32 = 0x5d;
export const MCOPY: u32 = 0x5e;
export const PUSH0: u32 = 0x5f;
export const PUSH1: u32 = 0x60;
export const PUSH32: u32 = 0x7f;
export const DUP1: u32 = 0x80;
export const SWAP1: u32 = 0x90;
export const LOG0: u32 = 0xa0;
export const LOG4: u32 = 0xa4;
export const CREATE: u32 = 0xf0;
export const CALL: u32 = 0xf1;
export const CALLCODE: u32 = 0xf2;
export const RETURN: u32 = 0xf3;
export const DELEGATECALL: u32 = 0xf4;
export const CREATE2: u32 = 0xf5;
export const STATICCALL: u32 = 0xfa;
export const REVERT: u32 = 0xfd;
export const SELFDESTRUCT: u32 = 0xff;

/** Begins a block: operand gas u32, bytes of stack needed u16, bytes of stack added at most u16. */
export const BLOCK: u32 = 0x100;
/** The operand is the value. */
export const PUSH_SMALL: u32 = 0x101;
/** The value, a word, takes the place of the next two instructions. */
export const PUSH_WORD: u32 = 0x102;
/** The operand is the distance of the item from the top, bytes. */
export const DUP: u32 = 0x103;
export const SWAP: u32 = 0x104;
/** The operand is where to. */
export const JUMP_TO: u32 = 0x105;
export const JUMPI_TO: u32 = 0x106;
/** Jumps if the item is zero. */
export const JUMPZ_TO: u32 = 0x107;
/** The operand is the second item. */
export const ADD_SMALL: u32 = 0x108;
/** An opcode that the fork does not have. */
export const UNDEFINED: u32 = 0x109;
/** Several at once: SWAP1 POP; DUP2 and what follows it. */
export const SWAP1_POP: u32 = 0x10a;
/** PUSH and MLOAD, PUSH and MSTORE: the operand is the offset. */
export const MLOAD_AT: u32 = 0x10b;
export const MSTORE_AT: u32 = 0x10c;
/** AND with a constant, which takes the place of the next two instructions. */
export const AND_WORD: u32 = 0x10d;
/** DUP1 PUSH4 EQ PUSH2 JUMPI, how contracts find their functions: the operand is selector u32, where to u32. */
export const SELECT: u32 = 0x10e;
