// The file in which a live chain saves its recently used keys for the next run. Values are not saved; they are read
// from the node again. The layout:
//
//   prestate keys 1 chain <id>\n     magic string, format version, and chain id
//   length, key                      for each key: a byte, and 20 or 52 bytes; the least recently used key is first
//   CRC-32                           of everything before it: 4 bytes, big endian
import { existsSync, readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { RecentKey } from './recent-keys.js';

const NAME = 'recent.keys';
const LENGTHS = new Set([20, 52]);
const CRC_BYTES = 4;
/** Number of keys that are encoded before yielding to the event loop. They take some 2 ms, which delays increments. */
const KEYS_AT_ONCE = 16_384;

/** The key file of one chain, in one folder. */
export class RecentKeyFile {
  readonly #file: string;
  readonly #head: string;

  constructor(folder: string, chainId: bigint) {
    this.#file = join(folder, NAME);
    this.#head = `prestate keys 1 chain ${chainId}\n`;
  }

  /** Reads the keys; returns none if there is no file, and the reason if the file is unusable. Never throws. */
  load(): readonly RecentKey[] | string {
    try {
      return existsSync(this.#file) ? this.#decoded(readFileSync(this.#file)) : [];
    } catch (error) {
      return (error as Error).message;
    }
  }

  /**
   * Writes the keys to a new file, which replaces the previous one when it is completely on the disk. Rejects with the
   * system's error.
   */
  async save(keys: readonly RecentKey[]): Promise<void> {
    const chunks = [Buffer.from(this.#head, 'latin1')];
    for (let at = 0; at < keys.length; at += KEYS_AT_ONCE) {
      const some = keys.slice(at, at + KEYS_AT_ONCE);
      chunks.push(Buffer.from(some.map((key) => String.fromCharCode(key.length) + key).join(''), 'latin1'));
      await turn();
    }
    const sum = Buffer.alloc(CRC_BYTES);
    sum.writeUInt32BE(chunks.reduce((crc, part) => crc32(part, crc), 0));
    const handle = await open(`${this.#file}.new`, 'w');
    try {
      await handle.writev([...chunks, sum]);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(`${this.#file}.new`, this.#file);
  }

  #decoded(bytes: Buffer): readonly RecentKey[] | string {
    const head = bytes.subarray(0, this.#head.length).toString('latin1');
    if (head !== this.#head) return 'it is of another chain or format';
    const end = bytes.length - CRC_BYTES;
    if (end < head.length || crc32(bytes.subarray(0, end)) !== bytes.readUInt32BE(end)) return DAMAGED;
    const keys: RecentKey[] = [];
    for (let at = head.length; at < end;) {
      const length = bytes[at]!;
      if (!LENGTHS.has(length) || at + 1 + length > end) return DAMAGED;
      keys.push(bytes.toString('latin1', at + 1, (at += 1 + length)));
    }
    return keys;
  }
}

const DAMAGED = 'it is damaged';
