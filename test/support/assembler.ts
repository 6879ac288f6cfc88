// A small EVM assembler for tests: `assemble('PUSH 5', 'SSTORE')`.
import { OPCODES } from '../../src/evm/opcodes.table.js';

const CODES: ReadonlyMap<string, number> = new Map(OPCODES.map(({ name, code }) => [name, code]));

/**
 * Assembles instructions to `0x` hex. `PUSH x` takes a number or hex; `LABEL name` emits a JUMPDEST and `REF name`
 * pushes its offset. `DUPN n`, `SWAPN n` and `EXCHANGE n m` take numbers (EIP-8024). One argument may contain several
 * instructions, separated by `;`.
 */
export function assemble(...parts: string[]): string {
  const lines = parts
    .flatMap((part) => part.split(';'))
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const labels = new Map<string, number>();
  // REF always takes three bytes, so all label offsets are known after one pass.
  lines.reduce((at, line) => {
    const [name, argument] = line.split(' ');
    if (name === 'LABEL') labels.set(argument!, at);
    return at + encode(line, () => 0).length / 2;
  }, 0);
  return `0x${lines.map((line) => encode(line, (label) => labels.get(label)!)).join('')}`;
}

function encode(line: string, place: (label: string) => number): string {
  const [name = '', argument = '', second = ''] = line.split(' ');
  switch (name) {
    case 'PUSH':
      return push(argument);
    case 'LABEL':
      return '5b';
    case 'REF':
      return `61${place(argument).toString(16).padStart(4, '0')}`;
    case 'DUPN':
    case 'SWAPN':
      return byte(CODES.get(name)!) + byte((Number(argument) + 111) % 256);
    case 'EXCHANGE':
      return byte(CODES.get(name)!) + byte(pair(Number(argument), Number(second)));
    default: {
      const code = CODES.get(name);
      if (code === undefined) throw new Error(`no such instruction: ${line}`);
      return byte(code);
    }
  }
}

function byte(value: number): string {
  return value.toString(16).padStart(2, '0');
}

/** `encode_pair` of EIP-8024. */
function pair(n: number, m: number): number {
  const [high, low] = m <= 16 ? [n - 1, m - 1] : [29 - m, n - 1];
  return (16 * high + low) ^ 0x8f;
}

function push(argument: string): string {
  const digits = argument.startsWith('0x') ? argument.slice(2) : Number(argument).toString(16);
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  return (0x5f + even.length / 2).toString(16) + even;
}
