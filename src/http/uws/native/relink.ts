// Lets a shared library that was linked against glibc 2.38 load on an older glibc. Pure; runs in `npm run build` only.
//
// Debian 12 has 2.36, and uWebSockets.js is published as binaries alone. The loader refuses a version that glibc lacks before it looks
// at any symbol, so no library beside can provide it. The binaries are known by their digests (binaries.ts): names and hashes are
// found as bytes, without reading the tables that hold them.

/** The version that the library asks for; found from glibc 2.38 on. */
const NEW_VERSION = 'GLIBC_2.38';
/** The first version of glibc by architecture, as Node.js names it: what every later one has, and what the library asks for, too. */
const BASE_VERSIONS: Readonly<Record<string, string>> = { x64: 'GLIBC_2.2.5', arm64: 'GLIBC_2.17' };
/** The functions of which glibc 2.38 has a C23 form: they also read the prefix `0b`, and are otherwise those before. */
const C23_FUNCTIONS = ['strtol', 'strtoul', 'strtoll', 'strtoull', 'sscanf'];

/** Fields of a version that is asked for (LSB Core 5.0, "Version Needed Auxiliary Entries"), 4 bytes each. */
const ENTRY = { hash: 0, name: 8 } as const;

/** A file is not relinked: it is another than is known here. */
export class RelinkError extends Error {
  override readonly name = 'RelinkError';
}

/**
 * A copy of `file`, an ELF shared library for 64 bits, that asks glibc for nothing of version 2.38; equal to `file` where
 * that asks for nothing.
 *
 * A compiler with glibc 2.38 turns `strtol` into `__isoc23_strtol@GLIBC_2.38`. That name stands in the file once,
 * and becomes `strtol`; so does the hash of the version, in the entry that asks for it, which becomes that of the base version
 * of glibc. Nothing moves, and undefined symbols stand in no hash table of the library. The older functions differ in that `0b1` is not a number to them, and
 * that `sscanf` takes `%a` before `s`, `S` or `[` for memory to allocate.
 *
 * Throws `RelinkError` for a file in which one of them stands twice, and for one that asks for anything else of 2.38 or later.
 * Sources: ELF gABI, "Hash Table"; LSB Core 5.0, "Symbol versioning"; glibc, `NEWS` for 2.38.
 */
export function relink(file: Uint8Array, architecture: string): Uint8Array {
  const copy = Buffer.from(file);
  const base = BASE_VERSIONS[architecture];
  if (base === undefined) throw new RelinkError(`no base version of glibc is known for ${architecture}`);
  for (const name of C23_FUNCTIONS) {
    const at = placeOf(copy, Buffer.from(`\0__isoc23_${name}\0`, 'latin1'));
    if (at !== null) copy.fill(0, at + 1, at + 10 + name.length).write(name, at + 1, 'latin1');
  }
  const at = placeOf(copy, hashOf(NEW_VERSION));
  if (at !== null) askForBase(copy, at, base);
  const [, left] = /\0(__isoc\d+_\w+|GLIBC_2\.(?:39|[4-9]\d))\0/.exec(copy.toString('latin1')) ?? [];
  if (left !== undefined) throw new RelinkError(`asks for ${left}`);
  return copy;
}

/** Makes the entry of a version that lies at `at` that of the base version, of which the file has another. */
function askForBase(file: Buffer, at: number, base: string): void {
  const model = file.indexOf(hashOf(base));
  if (model < 0) throw new RelinkError(`does not ask for ${base}`);
  for (const field of [ENTRY.hash, ENTRY.name]) file.copy(file, at + field, model + field, model + field + 4);
}

/** Place of these bytes; `null`: nowhere. */
function placeOf(file: Buffer, bytes: Buffer): number | null {
  const at = file.indexOf(bytes);
  if (at >= 0 && file.includes(bytes, at + 1)) throw new RelinkError('a name or a hash stands in the file twice');
  return at < 0 ? null : at;
}

/** The hash of a version's name as the file has it. */
function hashOf(name: string): Buffer {
  let hash = 0;
  for (const byte of Buffer.from(name, 'latin1')) {
    hash = (hash << 4) + byte;
    hash = (hash ^ ((hash >>> 24) & 0xf0)) & 0x0fffffff;
  }
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(hash);
  return bytes;
}
