// Builder of random code: instructions, jump targets and data after the code, in statements that can be left out.
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import { OPCODES } from './opcodes.js';

/** A piece of code, whose bytes are known once all offsets are. */
export type Item =
  | { readonly kind: 'raw'; readonly bytes: Uint8Array }
  | { readonly kind: 'label'; readonly label: number }
  /** Pushes the offset of a label plus `offset`. */
  | { readonly kind: 'ref'; readonly label: number; readonly offset: number }
  /** Pushes the offset of these bytes, which are stored after the code. */
  | { readonly kind: 'data'; readonly bytes: Uint8Array };

/** Items that are kept or removed together. */
export type Statement = readonly Item[];

/** Writes statements and tracks the height of the stack. */
export class CodeWriter {
  readonly statements: Item[][] = [];
  /** Items on the stack, if the code so far runs straight through. */
  height = 0;
  private items: Item[] = [];
  private labels = 0;

  /** Starts a new statement. */
  begin(): void {
    this.statements.push((this.items = []));
  }

  op(...names: readonly string[]): this {
    for (const name of names) {
      const opcode = OPCODES.get(name);
      if (opcode === undefined) throw new Error(`no such instruction: ${name}`);
      this.raw(Uint8Array.of(opcode.code));
      this.height += opcode.pushed - opcode.popped;
    }
    return this;
  }

  raw(bytes: Uint8Array): this {
    this.items.push({ kind: 'raw', bytes });
    return this;
  }

  /** The shortest PUSH, or one with `width` bytes. */
  push(value: bigint | number, width = shortest(BigInt(value))): this {
    this.height++;
    return this.raw(Uint8Array.of(0x5f + width, ...(width === 0 ? [] : toBytes(BigInt(value), width))));
  }

  /** A label that is placed or referred to later. */
  newLabel(): number {
    return this.labels++;
  }

  place(label: number): this {
    this.items.push({ kind: 'label', label });
    return this;
  }

  ref(label: number, offset = 0): this {
    this.items.push({ kind: 'ref', label, offset });
    this.height++;
    return this;
  }

  data(bytes: Uint8Array): this {
    this.items.push({ kind: 'data', bytes });
    this.height++;
    return this;
  }
}

/** The bytes of a code: a label becomes a JUMPDEST, and an offset takes three bytes. */
export function link(statements: readonly Statement[]): Uint8Array {
  const items = statements.flat();
  const labels = new Map<number, number>();
  let end = 0;
  for (const item of items) {
    if (item.kind === 'label') labels.set(item.label, end);
    end += size(item);
  }
  const tail: Uint8Array[] = [];
  const head = items.map((item) => {
    if (item.kind !== 'data') return bytesOf(item, labels);
    const place = reference(end);
    tail.push(item.bytes);
    end += item.bytes.length;
    return place;
  });
  return new Uint8Array(Buffer.concat([...head, ...tail]));
}

function shortest(value: bigint): number {
  return value === 0n ? 0 : Math.ceil(value.toString(16).length / 2);
}

function size(item: Item): number {
  return item.kind === 'raw' ? item.bytes.length : item.kind === 'label' ? 1 : 3;
}

function bytesOf(item: Exclude<Item, { kind: 'data' }>, labels: ReadonlyMap<number, number>): Uint8Array {
  if (item.kind === 'raw') return item.bytes;
  return item.kind === 'label' ? Uint8Array.of(0x5b) : reference((labels.get(item.label) ?? 0) + item.offset);
}

function reference(place: number): Uint8Array {
  return Uint8Array.of(0x61, (place >> 8) & 0xff, place & 0xff);
}
