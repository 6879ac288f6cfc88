// EVM code from names, for tests: `assemble('PUSH 5', 'SSTORE')`.

const NAMES: Readonly<Record<string, number>> = {
  STOP: 0x00,
  ADD: 0x01,
  SUB: 0x03,
  LT: 0x10,
  GT: 0x11,
  EQ: 0x14,
  ISZERO: 0x15,
  KECCAK256: 0x20,
  ADDRESS: 0x30,
  BALANCE: 0x31,
  CALLER: 0x33,
  CALLVALUE: 0x34,
  CALLDATALOAD: 0x35,
  CODECOPY: 0x39,
  RETURNDATASIZE: 0x3d,
  RETURNDATACOPY: 0x3e,
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
  SWAP1: 0x90,
  LOG1: 0xa1,
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
