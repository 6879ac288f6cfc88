// LMDB's data file walked page by page without LMDB: the library trusts what it reads, and a page that is none ends the
// process or is written over. Runs on the publisher, at start-up, while nobody writes. liblmdb, mdb.c: MDB_page_header,
// MDB_node, MDB_ovpage.
//
//   page   number 8 | transaction 8 | - 2 | flags 2 | lower 2 | upper 2   (overflow: pages 4) | places of nodes, 2 each
//   node   value bytes 4 | flags 2 | key bytes 2 | key | value, or where its overflow pages are: first 8 | - 8 | pages 8
//          (of a branch, the first six bytes are the number of a page)
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type Meta, TREE_BYTES, type Tree, readMeta, readTree } from './file.js';

const PAGE_HEAD_BYTES = 24;
const NODE_HEAD_BYTES = 8;
const BRANCH = 0x01;
const LEAF = 0x02;
const OVERFLOW = 0x04;
/** Flags of a page that say what it is. */
const KINDS = 0x6f;
/** The value lies on overflow pages. */
const IS_BIG = 0x01;
/** The value is a tree. */
const IS_TREE = 0x02;
const BIG_BYTES = 24;
/** Levels that LMDB can descend. */
const DEPTH_MAX = 32;

type Compare = (a: Buffer, b: Buffer) => number;
/** Both are valid during the call. */
type OnEntry = (key: Buffer, value: Buffer) => void;

/** A tree being walked: what has been found of it so far, and between which keys the next one must lie. */
interface Walk {
  readonly compare: Compare;
  /** Flags that every value must have, besides IS_BIG. */
  readonly valueFlags: number;
  readonly onEntry: OnEntry;
  branches: number;
  leaves: number;
  overflowPages: number;
  entries: number;
  last: Buffer | null;
  least: Buffer | null;
}

const COUNTS = ['branches', 'leaves', 'overflowPages', 'entries'] as const;

/** The newest snapshot of a data file. Methods throw an Error that says what is damaged. */
export class ArchivePages {
  readonly #handle: number;
  readonly #meta: Meta;
  /** Pages of the file that something refers to; there may be free ones behind its end. */
  readonly #used: Uint8Array;
  #behindEnd = 0;
  readonly #isOver: () => boolean;

  /** `isOver` is asked before every page; once it is true, every walk ends early, without an error. */
  constructor(file: string, isOver: () => boolean) {
    this.#handle = openSync(file, 'r');
    this.#isOver = isOver;
    this.#meta = readMeta(this.#handle);
    this.#used = new Uint8Array(Math.floor(fstatSync(this.#handle).size / this.#meta.pageBytes));
  }

  /** Lets go of the file. */
  close(): void {
    closeSync(this.#handle);
  }

  /** The tables by name. */
  tables(): Map<string, Tree> {
    const tables = new Map<string, Tree>();
    this.#walk(this.#meta.main, compareBytes, IS_TREE, (key, value) => {
      if (value.length !== TREE_BYTES) throw new Error('a table has another record than LMDB gives it');
      tables.set(key.toString('latin1').replace('\0', ''), readTree(value, 0));
    });
    return tables;
  }

  /** Every entry of a table, in the order of keys. */
  entries(table: Tree, onEntry: OnEntry): void {
    if (table.flags !== 0) throw new Error('a table has other flags than the archive gives it');
    this.#walk(table, compareBytes, 0, onEntry);
  }

  /** The lists of free pages: LMDB writes over what they name. To be called when all tables have been walked. */
  free(): void {
    this.#walk(this.#meta.free, compareNumbers, 0, (_key, list) => {
      const count = Number(list.readBigUInt64LE(0));
      if (count * 8 + 8 > list.length) throw new Error('a list of free pages is longer than its record');
      for (let at = 8; at <= count * 8; at += 8) at = this.#takeFree(list, at, count * 8);
    });
    const missing = Math.max(0, this.#meta.lastPage + 1 - this.#used.length);
    if (!this.#isOver() && missing !== this.#behindEnd) throw new Error('the file is shorter than it says');
  }

  /** One item of a list: a page, nothing (0), or minus a number of pages with the first one behind. Answers its end. */
  #takeFree(list: Buffer, at: number, last: number): number {
    const item = Number(list.readBigInt64LE(at));
    if (item > 0) this.#take(item, 1);
    if (item >= 0 || at === last) return at;
    this.#take(Number(list.readBigInt64LE(at + 8)), -item);
    return at + 8;
  }

  #walk({ root, depth, ...tree }: Tree, compare: Compare, valueFlags: number, onEntry: OnEntry): void {
    if (root === null || this.#isOver()) return;
    if (depth > DEPTH_MAX) throw new Error(`a tree is ${depth} levels deep`);
    const walk = { compare, valueFlags, onEntry, last: null, least: null };
    const found: Walk = { ...walk, branches: 0, leaves: 0, overflowPages: 0, entries: 0 };
    this.#descend(root, depth, found);
    if (this.#isOver()) return;
    for (const name of COUNTS) if (found[name] !== tree[name]) throw new Error(`a tree lacks ${name}, or has too many`);
  }

  /** `levels`: down to the leaves, this one included. */
  #descend(number: number, levels: number, walk: Walk): void {
    if (this.#isOver()) return;
    const page = this.#read(number, 1);
    if (levels === 1) this.#leaf(page, number, walk);
    else this.#branch(page, number, levels, walk);
  }

  #branch(page: Buffer, number: number, levels: number, walk: Walk): void {
    walk.branches++;
    nodes(page, number, BRANCH).forEach((node, index) => {
      const key = keyAt(page, number, node);
      // The first key of a branch is empty: whatever is less than the second one.
      if (index > 0) {
        expect(walk.last === null || walk.compare(walk.last, key) < 0, number, 'has its keys in another order');
        walk.least = key;
      }
      this.#descend(page.readUInt32LE(node) + page.readUInt16LE(node + 4) * 2 ** 32, levels - 1, walk);
    });
  }

  #leaf(page: Buffer, number: number, walk: Walk): void {
    walk.leaves++;
    for (const node of nodes(page, number, LEAF)) {
      const key = keyAt(page, number, node);
      const isInOrder =
        (walk.last === null || walk.compare(walk.last, key) < 0) &&
        (walk.least === null || walk.compare(walk.least, key) <= 0);
      expect(isInOrder, number, 'has its keys in another order');
      walk.last = key;
      walk.least = null;
      walk.entries++;
      walk.onEntry(key, this.#value(page, number, node, walk));
    }
  }

  #value(page: Buffer, number: number, node: number, walk: Walk): Buffer {
    const flags = page.readUInt16LE(node + 4);
    const length = page.readUInt32LE(node);
    const at = node + NODE_HEAD_BYTES + page.readUInt16LE(node + 6);
    expect((flags & ~IS_BIG) === walk.valueFlags, number, 'has an entry of an unknown kind');
    const isBig = (flags & IS_BIG) !== 0;
    expect(at + (isBig ? BIG_BYTES : length) <= page.length, number, 'has an entry that is longer than it');
    return isBig ? this.#overflow(page, at, length, walk) : page.subarray(at, at + length);
  }

  #overflow(page: Buffer, at: number, length: number, walk: Walk): Buffer {
    const number = Number(page.readBigUInt64LE(at));
    const pages = Math.ceil((PAGE_HEAD_BYTES + length) / this.#meta.pageBytes);
    walk.overflowPages += pages;
    const bytes = this.#read(number, pages);
    expect((bytes.readUInt16LE(18) & KINDS) === OVERFLOW, number, 'is not the value that an entry says');
    const isWhole = bytes.readUInt32LE(20) === pages && Number(page.readBigUInt64LE(at + 16)) === pages;
    expect(isWhole, number, 'has another length than its entry says');
    return bytes.subarray(PAGE_HEAD_BYTES, PAGE_HEAD_BYTES + length);
  }

  /** Pages that nothing else refers to. */
  #read(number: number, pages: number): Buffer {
    expect(number + pages <= this.#used.length, number, 'is not there');
    this.#take(number, pages);
    const bytes = Buffer.allocUnsafe(pages * this.#meta.pageBytes);
    readSync(this.#handle, bytes, 0, bytes.length, number * this.#meta.pageBytes);
    expect(Number(bytes.readBigUInt64LE(0)) === number, number, 'has another number');
    // A page of a later transaction would be changed in place.
    expect(Number(bytes.readBigUInt64LE(8)) <= this.#meta.transaction, number, 'is of a later transaction');
    return bytes;
  }

  #take(number: number, pages: number): void {
    const end = number + pages;
    expect(number > 1 && end - 1 <= this.#meta.lastPage, number, 'does not exist');
    const endInFile = Math.min(end, this.#used.length);
    for (let page = number; page < endInFile; page++) {
      expect(this.#used[page] === 0, page, 'is used twice');
      this.#used[page] = 1;
    }
    this.#behindEnd += end - Math.max(number, endInFile);
  }
}

/** Where the nodes of a page are. */
function nodes(page: Buffer, number: number, kind: number): number[] {
  expect((page.readUInt16LE(18) & KINDS) === kind, number, 'is of another kind');
  const [lower, upper] = [page.readUInt16LE(20), page.readUInt16LE(22)];
  expect(lower > 0 && lower <= upper && PAGE_HEAD_BYTES + upper <= page.length, number, 'has no room for its entries');
  return Array.from({ length: lower >> 1 }, (_, index) => {
    const place = page.readUInt16LE(PAGE_HEAD_BYTES + index * 2);
    const node = PAGE_HEAD_BYTES + place;
    expect(place >= upper && node + NODE_HEAD_BYTES <= page.length, number, 'has an entry outside of it');
    return node;
  });
}

function keyAt(page: Buffer, number: number, node: number): Buffer {
  const at = node + NODE_HEAD_BYTES;
  const end = at + page.readUInt16LE(node + 6);
  expect(end <= page.length, number, 'has a key that is longer than it');
  return page.subarray(at, end);
}

function compareBytes(a: Buffer, b: Buffer): number {
  return a.compare(b);
}

/** Keys of the lists of free pages are numbers in the machine's order. */
function compareNumbers(a: Buffer, b: Buffer): number {
  return Number(a.readBigUInt64LE(0) - b.readBigUInt64LE(0));
}

function expect(holds: boolean, page: number, what: string): void {
  if (!holds) throw new Error(`page ${page} ${what}`);
}
