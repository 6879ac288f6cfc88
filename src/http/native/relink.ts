// Lets a shared library that was linked against glibc 2.38 load on an older glibc. Pure; runs in `npm run build` only.

/** The version that the library asks for; found from glibc 2.38 on. */
const NEW_VERSION = 'GLIBC_2.38';
/** The first version of glibc on a machine (x86-64, AArch64), by its ELF number: what every later one has. */
const BASE_VERSIONS: Readonly<Record<number, string>> = { 62: 'GLIBC_2.2.5', 183: 'GLIBC_2.17' };
const LIBC = 'libc.so.6';
const C23_PREFIX = '__isoc23_';
/** The functions of which glibc 2.38 has a C23 form: they also read the prefix `0b`, and are otherwise those before. */
const C23_FUNCTIONS: ReadonlySet<string> = new Set(['strtol', 'strtoul', 'strtoll', 'strtoull', 'sscanf']);

/** ELF gABI, "Section header table" and "Symbol table"; the types of versions are GNU's (LSB Core, "Symbol versioning"). */
const SECTION = { DYNSYM: 11, GNU_VERNEED: 0x6ffffffe, GNU_VERSYM: 0x6fffffff } as const;
const HEADER = { machine: 0x12, sections: 0x28, sectionBytes: 0x3a, sectionCount: 0x3c } as const;
const SECTION_HEADER = { bytes: 64, type: 4, offset: 24, size: 32, link: 40 } as const;
const SYMBOL = { bytes: 24, name: 0, section: 6 } as const;
const NEED = { count: 2, file: 4, versions: 8, next: 12 } as const;
const VERSION = { hash: 0, index: 6, name: 8, next: 12 } as const;

/** Why a file is not relinked: it is damaged, or asks for something that this does not know. */
export class RelinkError extends Error {
  override readonly name = 'RelinkError';
}

/** Where a section lies in the file. */
interface Section {
  readonly type: number;
  readonly offset: number;
  readonly bytes: number;
  /** Number of the section that this one refers to. */
  readonly link: number;
}

/** A version of a library that is asked for. */
interface NeededVersion {
  /** Where its entry lies. */
  readonly at: number;
  readonly library: string;
  readonly name: string;
  /** The number by which symbols refer to it. */
  readonly index: number;
}

/** The parts of a library that name what it takes from others. */
interface Dynamic {
  readonly view: DataView;
  readonly symbols: Section;
  readonly versions: Section;
  readonly needs: Section;
  readonly strings: Section;
}

/**
 * A copy of `file`, an ELF shared library for 64 bits, that asks glibc for nothing of version 2.38; equal to `file` where
 * that asks for nothing.
 *
 * A compiler with glibc 2.38 turns `strtol` into `__isoc23_strtol@GLIBC_2.38`. Three things are overwritten: the name of
 * such a symbol points behind the prefix (`strtol`), its version becomes the base version of glibc, and the entry that
 * asks for 2.38 asks for the base version once more. No byte of code or data changes, nothing moves, and undefined
 * symbols stand in no hash table of the library. The older functions differ in that `0b1` is not a number to them, and
 * that `sscanf` takes `%a` before `s`, `S` or `[` for memory to allocate.
 *
 * Throws `RelinkError` for a damaged file, and for one that asks for anything else of 2.38 or later.
 * Sources: ELF gABI; LSB Core 5.0, "Symbol versioning"; glibc, `NEWS` for 2.38.
 */
export function relink(file: Uint8Array): Uint8Array {
  try {
    return relinked(file);
  } catch (error) {
    // A read beyond the end: an offset of the file leads nowhere.
    if (error instanceof RangeError) throw new RelinkError('the file is damaged');
    throw error;
  }
}

function relinked(file: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(file);
  const library = dynamicOf(copy);
  const needed = neededVersions(library);
  const asked = needed.filter(({ name }) => isNew(name));
  if (asked.length === 0) return copy;
  const [entry] = asked;
  if (asked.length > 1 || entry!.library !== LIBC || entry!.name !== NEW_VERSION)
    throw new RelinkError(`asks for ${asked.map(({ library: from, name }) => `${name} of ${from}`).join(', ')}`);
  const baseVersion = BASE_VERSIONS[library.view.getUint16(HEADER.machine, true)];
  const base = needed.find(({ library: from, name }) => from === LIBC && name === baseVersion);
  if (base === undefined) throw new RelinkError('asks for no base version of glibc');
  renameSymbols(library, entry!.index, base.index);
  for (const field of [VERSION.hash, VERSION.name])
    library.view.setUint32(entry!.at + field, library.view.getUint32(base.at + field, true), true);
  return copy;
}

/** Whether a version is that of glibc 2.38 or of a later one. */
function isNew(version: string): boolean {
  const minor = /^GLIBC_2\.(\d+)/.exec(version)?.[1];
  return minor !== undefined && Number(minor) >= 38;
}

function renameSymbols({ view, symbols, versions, strings }: Dynamic, from: number, to: number): void {
  for (let i = 0; i < symbols.bytes / SYMBOL.bytes; i++) {
    const [at, versionAt] = [symbols.offset + i * SYMBOL.bytes, versions.offset + 2 * i];
    if (view.getUint16(versionAt, true) !== from) continue;
    const nameAt = view.getUint32(at + SYMBOL.name, true);
    const name = textAt(view, strings, nameAt);
    const isKnown = name.startsWith(C23_PREFIX) && C23_FUNCTIONS.has(name.slice(C23_PREFIX.length));
    if (!isKnown || view.getUint16(at + SYMBOL.section, true) !== 0)
      throw new RelinkError(`asks for ${name}@${NEW_VERSION}`);
    view.setUint32(at + SYMBOL.name, nameAt + C23_PREFIX.length, true);
    view.setUint16(versionAt, to, true);
  }
}

function dynamicOf(file: Uint8Array): Dynamic {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  // Magic number, 64 bits, little-endian.
  if (view.getUint32(0) !== 0x7f454c46 || view.getUint16(4) !== 0x0201)
    throw new RelinkError('not an ELF library for 64 bits');
  const sections = sectionsOf(view);
  const find = (type: number): Section => {
    const section = sections.find((candidate) => candidate.type === type);
    if (section === undefined) throw new RelinkError('the file has no table of symbols and versions');
    return section;
  };
  const symbols = find(SECTION.DYNSYM);
  const strings = sections[symbols.link];
  if (strings === undefined) throw new RelinkError('the file has no names of symbols');
  return { view, symbols, strings, versions: find(SECTION.GNU_VERSYM), needs: find(SECTION.GNU_VERNEED) };
}

function sectionsOf(view: DataView): Section[] {
  const start = offsetAt(view, HEADER.sections);
  if (view.getUint16(HEADER.sectionBytes, true) !== SECTION_HEADER.bytes)
    throw new RelinkError('section headers of an unknown size');
  const length = view.getUint16(HEADER.sectionCount, true);
  if (start + length * SECTION_HEADER.bytes > view.byteLength) throw new RelinkError('the file is cut off');
  return Array.from({ length }, (_, i) => {
    const at = start + i * SECTION_HEADER.bytes;
    return {
      type: view.getUint32(at + SECTION_HEADER.type, true),
      offset: offsetAt(view, at + SECTION_HEADER.offset),
      bytes: offsetAt(view, at + SECTION_HEADER.size),
      link: view.getUint32(at + SECTION_HEADER.link, true),
    };
  });
}

/** All versions that are asked for, of all libraries: a chain of libraries, each with a chain of versions. */
function neededVersions({ view, needs, strings }: Dynamic): NeededVersion[] {
  const needed: NeededVersion[] = [];
  for (const at of chain(view, needs.offset, NEED.next)) {
    const library = textAt(view, strings, view.getUint32(at + NEED.file, true));
    const versions = [...chain(view, at + view.getUint32(at + NEED.versions, true), VERSION.next)];
    if (versions.length !== view.getUint16(at + NEED.count, true)) throw new RelinkError('the file is damaged');
    for (const versionAt of versions) {
      const name = textAt(view, strings, view.getUint32(versionAt + VERSION.name, true));
      needed.push({ at: versionAt, library, name, index: view.getUint16(versionAt + VERSION.index, true) });
    }
  }
  return needed;
}

/** The places of a chain: each entry says in field `next` how far behind it the next one lies, the last one 0. */
function* chain(view: DataView, start: number, next: number): Generator<number> {
  for (let at = start; ;) {
    yield at;
    const step = view.getUint32(at + next, true);
    if (step === 0) return;
    at += step;
  }
}

/** A 64-bit offset or size; one beyond 2^53 leads behind the end of any file, where reading it throws. */
function offsetAt(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}

/** The text at `at` in a table of texts that end with a zero byte. */
function textAt(view: DataView, strings: Section, at: number): string {
  let text = '';
  for (let i = strings.offset + at; ; i++) {
    const byte = view.getUint8(i);
    if (byte === 0) return text;
    text += String.fromCharCode(byte);
  }
}
