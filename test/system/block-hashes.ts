// BLOCKHASH as executed code sees it: the hashes of the 256 blocks before the current one.
import { assemble } from '../support/assembler.js';
import type { Server } from '../support/server.js';

const COUNT = 256;
const READER = `0x${'b1'.repeat(20)}`;
/** NUMBER, then BLOCKHASH of the preceding blocks, newest first. */
const CODE = assemble(
  'NUMBER; PUSH 0; MSTORE; PUSH 0',
  'LABEL next; PUSH 1; ADD',
  'DUP1; NUMBER; SUB; BLOCKHASH; DUP2; PUSH 5; SHL; MSTORE',
  `DUP1; PUSH ${COUNT}; GT; REF next; JUMPI`,
  `PUSH ${32 * (COUNT + 1)}; PUSH 0; RETURN`,
);

/** Results of BLOCKHASH in the block that a call at `tag` runs in; zero words where there is no such block. */
export async function readHashes(server: Server, tag: string): Promise<{ number: number; hashes: string[] }> {
  const data = await server.result('eth_call', { to: READER }, tag, { [READER]: { code: CODE } });
  const words = data.slice(2).match(/.{64}/g) ?? [];
  return { number: Number(`0x${words[0]}`), hashes: words.slice(1).map((digits) => `0x${digits}`) };
}
