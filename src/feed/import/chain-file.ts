// Reads consecutive RLP-encoded blocks from a file, as go-ethereum exports them, one block at a time.
import { open, type FileHandle } from 'node:fs/promises';
import { LIMITS } from '../../limits/index.js';

/** The file is read in chunks of this many bytes. */
const CHUNK_BYTES = 1024 * 1024;

/** Yields the RLP of each block. Throws an error with the position in the file if it contains anything else. */
export async function* readRlpBlocks(file: string): AsyncGenerator<Uint8Array> {
  const handle = await open(file);
  try {
    yield* blocksOf(handle);
  } finally {
    await handle.close();
  }
}

async function* blocksOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
  let buffer: Uint8Array = new Uint8Array(0);
  let at = 0;
  let position = 0;
  for (;;) {
    const length = listLength(buffer.subarray(at), position);
    if (length !== null && at + length <= buffer.length) {
      yield buffer.slice(at, at + length);
      at += length;
      position += length;
      continue;
    }
    const chunk = await readChunk(handle);
    if (chunk.length === 0 && at === buffer.length) return;
    if (chunk.length === 0) throw new Error(`it ends inside the block that begins at byte ${position}`);
    buffer = Buffer.concat([buffer.subarray(at), chunk]);
    at = 0;
  }
}

async function readChunk(handle: FileHandle): Promise<Uint8Array> {
  const { buffer, bytesRead } = await handle.read({ buffer: new Uint8Array(CHUNK_BYTES) });
  return buffer.subarray(0, bytesRead);
}

/**
 * Returns the length of the RLP list at the start of `bytes`, including its prefix; `null` if `bytes` ends within the
 * prefix.
 */
function listLength(bytes: Uint8Array, position: number): number | null {
  const first = bytes[0];
  if (first === undefined) return null;
  if (first < 0xc0) throw new Error(`there is no block at byte ${position}`);
  if (first < 0xf8) return 1 + first - 0xc0;
  const digits = first - 0xf7;
  if (bytes.length < 1 + digits) return null;
  const length = bytes.subarray(1, 1 + digits).reduce((sum, byte) => sum * 256 + byte, 0);
  if (length > LIMITS.importBlockBytesMax)
    throw new Error(`the block at byte ${position} would be longer than ${LIMITS.importBlockBytesMax} bytes`);
  return 1 + digits + length;
}
