// EVM code from names, for tests: `assemble('PUSH 5', 'SSTORE')`.

const NAMES: Readonly<Record<string, number>> = {
  STOP: 0x00,
  ADD: 0x01,
  MUL: 0x02,
  SUB: 0x03,
  DIV: 0x04,
  SDIV: 0x05,
  MOD: 0x06,
  SMOD: 0x07,
  ADDMOD: 0x08,
  MULMOD: 0x09,
  EXP: 0x0a,
  SIGNEXTEND: 0x0b,
  LT: 0x10,
  GT: 0x11,
  SLT: 0x12,
  SGT: 0x13,
  EQ: 0x14,
  ISZERO: 0x15,
  AND: 0x16,
  OR: 0x17,
  XOR: 0x18,
  NOT: 0x19,
  BYTE: 0x1a,
  SHL: 0x1b,
  SHR: 0x1c,
  SAR: 0x1d,
  CLZ: 0x1e,
  KECCAK256: 0x20,
  ADDRESS: 0x30,
  BALANCE: 0x31,
  ORIGIN: 0x32,
  CALLER: 0x33,
  CALLVALUE: 0x34,
  CALLDATALOAD: 0x35,
  CALLDATASIZE: 0x36,
  CALLDATACOPY: 0x37,
  CODESIZE: 0x38,
  CODECOPY: 0x39,
  GASPRICE: 0x3a,
  EXTCODESIZE: 0x3b,
  EXTCODECOPY: 0x3c,
  RETURNDATASIZE: 0x3d,
  RETURNDATACOPY: 0x3e,
  EXTCODEHASH: 0x3f,
  BLOCKHASH: 0x40,
  COINBASE: 0x41,
  TIMESTAMP: 0x42,
  NUMBER: 0x43,
  PREVRANDAO: 0x44,
  GASLIMIT: 0x45,
  CHAINID: 0x46,
  SELFBALANCE: 0x47,
  BASEFEE: 0x48,
  BLOBHASH: 0x49,
  BLOBBASEFEE: 0x4a,
  POP: 0x50,
  MLOAD: 0x51,
  MSTORE: 0x52,
  MSTORE8: 0x53,
  SLOAD: 0x54,
  SSTORE: 0x55,
  JUMP: 0x56,
  JUMPI: 0x57,
  PC: 0x58,
  MSIZE: 0x59,
  GAS: 0x5a,
  JUMPDEST: 0x5b,
  TLOAD: 0x5c,
  TSTORE: 0x5d,
  MCOPY: 0x5e,
  DUP1: 0x80,
  DUP2: 0x81,
  DUP3: 0x82,
  DUP4: 0x83,
  SWAP1: 0x90,
  SWAP2: 0x91,
  SWAP3: 0x92,
  LOG0: 0xa0,
  LOG1: 0xa1,
  LOG2: 0xa2,
  LOG3: 0xa3,
  LOG4: 0xa4,
  CREATE: 0xf0,
  CALL: 0xf1,
  CALLCODE: 0xf2,
  RETURN: 0xf3,
  DELEGATECALL: 0xf4,
  CREATE2: 0xf5,
  STATICCALL: 0xfa,
  REVERT: 0xfd,
  INVALID: 0xfe,
  SELFDESTRUCT: 0xff,
};

/**
 * Instructions to hex with `0x`. `PUSH x` takes a number or hex; `LABEL name` is a JUMPDEST and `REF name` pushes its
 * place. One argument may hold several instructions, separated by `;`.
 */
export function assemble(...parts: string[]): string {
  const lines = parts
    .flatMap((part) => part.split(';'))
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const labels = new Map<string, number>();
  // REF always takes three bytes, so one pass finds every label.
  lines.reduce((at, line) => {
    const [name, argument] = line.split(' ');
    if (name === 'LABEL') labels.set(argument!, at);
    return at + encode(line, () => 0).length / 2;
  }, 0);
  return `0x${lines.map((line) => encode(line, (label) => labels.get(label)!)).join('')}`;
}

function encode(line: string, place: (label: string) => number): string {
  const [name = '', argument = ''] = line.split(' ');
  switch (name) {
    case 'PUSH':
      return push(argument);
    case 'LABEL':
      return '5b';
    case 'REF':
      return `61${place(argument).toString(16).padStart(4, '0')}`;
    default: {
      const code = NAMES[name];
      if (code === undefined) throw new Error(`no such instruction: ${line}`);
      return code.toString(16).padStart(2, '0');
    }
  }
}

function push(argument: string): string {
  const digits = argument.startsWith('0x') ? argument.slice(2) : Number(argument).toString(16);
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  return (0x5f + even.length / 2).toString(16) + even;
}
