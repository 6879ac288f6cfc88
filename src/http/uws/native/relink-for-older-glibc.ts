// Relinks a shared library that was linked against glibc 2.38 so that it loads on an older glibc. Pure; used by `npm
// run build` only.
//
// Debian 12 has glibc 2.36, and uWebSockets.js is only published as binaries. The loader rejects a symbol version that
// glibc does not have before it resolves any symbol, so no other library can provide it.

/** The symbol version that the library requires. glibc has it from 2.38 on. */
const NEW_VERSION = 'GLIBC_2.38';
/**
 * The oldest symbol version of glibc by architecture (Node.js's name). Every later glibc has it, and the library
 * already requires it.
 */
const BASE_VERSIONS: Readonly<Record<string, string>> = { x64: 'GLIBC_2.2.5', arm64: 'GLIBC_2.17' };
/**
 * Prefix of the C23 variants of functions, which also parse `0b`; and the functions that have such a variant in glibc
 * 2.38.
 */
const C23_PREFIX = '__isoc23_';
const C23_FUNCTIONS = ['strtol', 'strtoul', 'strtoll', 'strtoull', 'sscanf'];

/**
 * Offsets of fields in an ELF header, a section header and a symbol for 64 bits (ELF gABI). `bytes`: size of the latter
 * two.
 */
const HEADER = { sections: 0x28, count: 0x3c } as const;
const SECTION = { type: 4, offset: 24, size: 32, link: 40, bytes: 64 } as const;
const SYMBOL = { name: 0, bytes: 24 } as const;
/** Type of the ELF section that contains the symbols which the loader resolves. */
const SHT_DYNSYM = 11;
/** Offsets of fields in a required version (LSB Core 5.0, "Version Needed Auxiliary Entries"), 4 bytes each. */
const ENTRY = { hash: 0, name: 8 } as const;

/** Thrown if a file does not have the expected form. It is then not relinked. */
export class RelinkError extends Error {
  override readonly name = 'RelinkError';
}

/**
 * Returns a copy of `file`, an ELF shared library for 64 bits, that requires nothing of glibc 2.38. If `file` requires
 * nothing of glibc 2.38, the copy is equal.
 *
 * A compiler with glibc 2.38 turns `strtol` into `__isoc23_strtol@GLIBC_2.38`. Here, the symbol's name is set to the
 * tail of the old name (`strtol`), and the version entry gets the name and hash of glibc's base version. The string
 * itself stays, because linkers merge strings, so that another symbol `strtol` may already use the same tail as its
 * name. Nothing else moves, and a GNU hash table contains no undefined symbols. The older functions differ in two ways:
 * they do not parse `0b1`, and `sscanf` reads `%a` before `s`, `S` or `[` as a request to allocate memory.
 *
 * Throws `RelinkError` for a file that requires anything else of glibc 2.38 or later. Sources: ELF gABI, "Symbol
 * Table"; LSB Core 5.0, "Symbol versioning"; glibc, `NEWS` for 2.38.
 */
export function relinkForOlderGlibc(file: Uint8Array, architecture: string): Uint8Array {
  const copy = Buffer.from(file);
  const base = BASE_VERSIONS[architecture];
  if (base === undefined) throw new RelinkError(`no base version of glibc is known for ${architecture}`);
  for (const { at, name } of dynamicSymbolsOf(copy)) {
    if (!name.startsWith('__isoc')) continue;
    if (!C23_FUNCTIONS.some((known) => name === C23_PREFIX + known)) throw new RelinkError(`asks for ${name}`);
    copy.writeUInt32LE(copy.readUInt32LE(at + SYMBOL.name) + C23_PREFIX.length, at + SYMBOL.name);
  }
  const at = offsetOf(copy, hashOf(NEW_VERSION));
  if (at !== null) requireBase(copy, at, base);
  const [, left] = /\0(GLIBC_2\.(?:39|[4-9]\d))\0/.exec(copy.toString('latin1')) ?? [];
  if (left !== undefined) throw new RelinkError(`asks for ${left}`);
  return copy;
}

/** Returns the symbols that the loader resolves: name of each, and its offset in the file. */
export function dynamicSymbolsOf(file: Buffer): readonly { readonly at: number; readonly name: string }[] {
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

/** Changes the version entry at `at` to the base version, by copying hash and name from an existing entry. */
function requireBase(file: Buffer, at: number, base: string): void {
  const model = file.indexOf(hashOf(base));
  if (model < 0) throw new RelinkError(`does not ask for ${base}`);
  for (const field of [ENTRY.hash, ENTRY.name]) file.copy(file, at + field, model + field, model + field + 4);
}

/** Returns the offset of these bytes; `null` if they do not occur. Throws if they occur more than once. */
function offsetOf(file: Buffer, bytes: Buffer): number | null {
  const at = file.indexOf(bytes);
  if (at >= 0 && file.includes(bytes, at + 1)) throw new RelinkError('the hash of a version is in the file twice');
  return at < 0 ? null : at;
}

/** Computes the hash of a version's name, as defined by ELF. */
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
