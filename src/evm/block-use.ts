// What code may ask about its block, by the instructions that can be reached in it. Runs on the estimators.
import type { BlockUse } from '../state/reads.js';
import { opcodeAt } from './opcodes.js';

const JUMPDEST = 0x5b;
const PUSH1 = 0x60;
const PUSH32 = 0x7f;

/** CREATE and CREATE2 run code that nobody knows before. */
const ANYTHING: ReadonlySet<string> = new Set(['BLOCKHASH', 'CREATE', 'CREATE2']);
const ENVIRONMENT: ReadonlySet<string> = new Set([
  'COINBASE',
  'TIMESTAMP',
  'NUMBER',
  'PREVRANDAO',
  'GASLIMIT',
  'BASEFEE',
  'BLOBBASEFEE',
]);

/**
 * The most that the code can ask. What stands behind an instruction that never goes on is reached by a JUMPDEST alone: so the
 * metadata that compilers append do not count.
 */
export function blockUseOf(code: Uint8Array): BlockUse {
  let use: BlockUse = 'none';
  let isReached = true;
  for (let at = 0; at < code.length; at++) {
    const byte = code[at]!;
    if (byte === JUMPDEST) isReached = true;
    else if (byte >= PUSH1 && byte <= PUSH32) at += byte - PUSH1 + 1;
    else if (isReached) {
      const opcode = opcodeAt(byte);
      if (opcode === undefined || opcode.since === null || opcode.ends === 'flow') isReached = false;
      else if (ANYTHING.has(opcode.name)) return 'anything';
      else if (ENVIRONMENT.has(opcode.name)) use = 'environment';
    }
  }
  return use;
}

/** What two parts of an execution ask together. */
export function widerUse(first: BlockUse, second: BlockUse): BlockUse {
  return first === 'anything' || second === 'none' ? first : second;
}
