// Relinks a shared library that was linked against glibc 2.38 so that it loads on an older glibc. Pure; used by `npm
// run build` only.
//
// The published binaries of uWebSockets.js require glibc 2.38, but Debian 12 has 2.36. The loader rejects a library
// that requires a symbol version which glibc does not have, before it resolves any symbol. So another library that
// provides the missing functions would not help.

/** The symbol version that the library requires and that an older glibc does not have. */
const NEW_VERSION = 'GLIBC_2.38';
/**
 * glibc's oldest symbol version, by architecture (Node.js's name). Every glibc has it, and the library already requires
 * it for other functions.
 */
const BASE_VERSIONS: Readonly<Record<string, string>> = { x64: 'GLIBC_2.2.5', arm64: 'GLIBC_2.17' };
/**
 * Prefix of the C23 variants of functions, which also parse binary numbers such as `0b1`. `C23_FUNCTIONS` are the
 * functions that have such a variant in glibc 2.38.
 */
const C23_PREFIX = '__isoc23_';
const C23_FUNCTIONS = ['strtol', 'strtoul', 'strtoll', 'strtoull', 'sscanf'];

/**
 * Offsets of fields in the ELF header, in a section header and in a symbol, for 64 bits (ELF gABI). `bytes` is the size
 * of a section header or a symbol.
 */
const HEADER = { sections: 0x28, count: 0x3c } as const;
const SECTION = { type: 4, offset: 24, size: 32, link: 40, bytes: 64 } as const;
const SYMBOL = { name: 0, bytes: 24 } as const;
/** Type of the ELF section that contains the symbols which the loader resolves. */
const SHT_DYNSYM = 11;
/**
 * Offsets of two fields, 4 bytes each, in the entry of a required symbol version (LSB Core 5.0, "Version Needed
 * Auxiliary Entries").
 */
const ENTRY = { hash: 0, name: 8 } as const;

/** Thrown if a file cannot be relinked, because it does not have the expected form. */
export class RelinkError extends Error {
  override readonly name = 'RelinkError';
}

/**
 * Returns a copy of `file`, an ELF shared library for 64 bits, that requires nothing of glibc 2.38. If `file` requires
 * nothing of glibc 2.38, the copy is equal.
 *
 * A compiler with the headers of glibc 2.38 turns a call of `strtol` into one of `__isoc23_strtol@GLIBC_2.38`. This
 * function adds the length of the prefix to the offset of the symbol's name, so that the name is `strtol`. The string
 * itself is not changed, because another symbol may share its end as its own name. The entry of the required version
 * gets the name and hash of glibc's base version. Nothing else has to change: a GNU hash table contains no undefined
 * symbols. The older functions differ in two ways: they do not parse `0b1`, and `sscanf` reads `%a` before `s`, `S` or
 * `[` as a request to allocate memory.
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

/** Returns the symbols that the loader resolves. `at` is the offset of the symbol's entry in the file. */
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

/**
 * Changes the version entry at offset `at` to the base version, by copying hash and name from the entry of the base
 * version that the file already has.
 */
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

/** Returns the ELF hash of a version's name, as 4 bytes in little-endian order. */
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
