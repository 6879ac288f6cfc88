// Tells the C library to give the memory of large answers back to the system as soon as they are gone. Runs on main.
import { createRequire } from 'node:module';
import { LIMITS } from '../../limits.js';

/** src/rpc/decode/simdjson/addon.cpp. */
interface Addon {
  mapLargeBlocks(bytes: number): boolean;
}

/**
 * Holds for the whole process. Without it glibc keeps freed blocks of several MB on its heap: some 0.3 GB after large answers
 * whose clients left. Price: a block takes a mapping of its own, 15 % of the time of an answer of 10 MB. False where it
 * cannot be said: without the addon, or with another C library.
 */
export function mapLargeBlocks(): boolean {
  try {
    const addon: Addon = createRequire(import.meta.url)('./simdjson/decoder.node');
    return addon.mapLargeBlocks(LIMITS.mappedBlockBytes);
  } catch {
    return false;
  }
}
