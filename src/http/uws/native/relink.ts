// Lets a shared library that was linked against glibc 2.38 load on an older glibc. Pure; runs in `npm run build` only.
//
// Debian 12 has 2.36, and uWebSockets.js is published as binaries alone. The loader refuses a version that glibc lacks before it looks
// at any symbol, so no library beside can provide it.

/** The version that the library asks for; found from glibc 2.38 on. */
const NEW_VERSION = 'GLIBC_2.38';
/** The first version of glibc by architecture, as Node.js names it: what every later one has, and what the library asks for, too. */
const BASE_VERSIONS: Readonly<Record<string, string>> = { x64: 'GLIBC_2.2.5', arm64: 'GLIBC_2.17' };
/**
 * The prefix of C23 forms, and the functions of which glibc 2.38 has one: they also read `0b`, and are otherwise those
 * before.
 */
const C23_PREFIX = '__isoc23_';
const C23_FUNCTIONS = ['strtol', 'strtoul', 'strtoll', 'strtoull', 'sscanf'];

/** Offsets in an ELF header, a section header and a symbol for 64 bits (ELF gABI), and sizes of the latter two. */
const HEADER = { sections: 0x28, count: 0x3c } as const;
const SECTION = { type: 4, offset: 24, size: 32, link: 40, bytes: 64 } as const;
const SYMBOL = { name: 0, bytes: 24 } as const;
/** Type of the section of symbols that the loader resolves. */
const SHT_DYNSYM = 11;
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
 * A compiler with glibc 2.38 turns `strtol` into `__isoc23_strtol@GLIBC_2.38`. The symbol gets the tail of its name,
 * and the entry of the version the name and hash of the base version of glibc. The string itself stays: linkers merge
 * strings, so another symbol `strtol` may already have that same tail for its name. Nothing moves, and a GNU hash table
 * holds no undefined symbols. The older functions differ in that `0b1` is not a number to them, and that `sscanf` takes
 * `%a` before `s`, `S` or `[` for memory to allocate.
 *
 * Throws `RelinkError` for a file that asks for anything else of 2.38 or later.
 * Sources: ELF gABI, "Symbol Table"; LSB Core 5.0, "Symbol versioning"; glibc, `NEWS` for 2.38.
 */
export function relink(file: Uint8Array, architecture: string): Uint8Array {
  const copy = Buffer.from(file);
  const base = BASE_VERSIONS[architecture];
  if (base === undefined) throw new RelinkError(`no base version of glibc is known for ${architecture}`);
  for (const { at, name } of symbolsOf(copy)) {
    if (!name.startsWith('__isoc')) continue;
    if (!C23_FUNCTIONS.some((known) => name === C23_PREFIX + known)) throw new RelinkError(`asks for ${name}`);
    copy.writeUInt32LE(copy.readUInt32LE(at + SYMBOL.name) + C23_PREFIX.length, at + SYMBOL.name);
  }
  const at = offsetOf(copy, hashOf(NEW_VERSION));
  if (at !== null) askForBase(copy, at, base);
  const [, left] = /\0(GLIBC_2\.(?:39|[4-9]\d))\0/.exec(copy.toString('latin1')) ?? [];
  if (left !== undefined) throw new RelinkError(`asks for ${left}`);
  return copy;
}

/** The symbols that the loader resolves: offset in the file, and name. */
export function symbolsOf(file: Buffer): readonly { readonly at: number; readonly name: string }[] {
  const sections = file.subarray(Number(file.readBigUInt64LE(HEADER.sections)));
  const headerOf = (index: number): Buffer => sections.subarray(index * SECTION.bytes, (index + 1) * SECTION.bytes);
  const headers = Array.from({ length: file.readUInt16LE(HEADER.count) }, (_, index) => headerOf(index));
  const table = headers.find((header) => header.readUInt32LE(SECTION.type) === SHT_DYNSYM);
  if (table === undefined) throw new RelinkError('has no dynamic symbols');
  const start = Number(table.readBigUInt64LE(SECTION.offset));
  const strings = Number(headerOf(table.readUInt32LE(SECTION.link)).readBigUInt64LE(SECTION.offset));
  return Array.from({ length: Number(table.readBigUInt64LE(SECTION.size)) / SYMBOL.bytes }, (_, index) => {
    const at = start + index * SYMBOL.bytes;
    const name = strings + file.readUInt32LE(at + SYMBOL.name);
    return { at, name: file.toString('latin1', name, file.indexOf(0, name)) };
  });
}

/** Makes the entry of a version that lies at `at` that of the base version, of which the file has another. */
function askForBase(file: Buffer, at: number, base: string): void {
  const model = file.indexOf(hashOf(base));
  if (model < 0) throw new RelinkError(`does not ask for ${base}`);
  for (const field of [ENTRY.hash, ENTRY.name]) file.copy(file, at + field, model + field, model + field + 4);
}

/** Offset of these bytes; `null`: nowhere. */
function offsetOf(file: Buffer, bytes: Buffer): number | null {
  const at = file.indexOf(bytes);
  if (at >= 0 && file.includes(bytes, at + 1)) throw new RelinkError('the hash of a version stands in the file twice');
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
