// The language of news: blocks before they are canonical, as streams tell of them and as they are served. A folder of
// `streams` turns the bytes of one format into it; nothing behind that knows a format. Runs on the publisher.
import type { BlockEnv } from '../state/diff.js';

/** Fixed about a block before its transactions. */
export interface BlockBase {
  /** 32 bytes. */
  readonly parentHash: Uint8Array;
  readonly extraData: Uint8Array;
  /** The excess of blob gas follows from the parent. */
  readonly env: Omit<BlockEnv, 'excessBlobGas'>;
}

/** New in a block, with what our own execution of the block so far must come to. */
export interface Increment {
  /** Place in the block; 0 opens it. */
  readonly index: number;
  /** EIP-2718 bytes, in order. */
  readonly transactions: readonly Uint8Array[];
  readonly gasUsed: bigint;
  /** 32 bytes; `null`: not told. */
  readonly receiptsRoot: Uint8Array | null;
  /** A transaction of type 0x7D that ends the block and is not executed; `null`: not told. */
  readonly ending: Uint8Array | null;
}

/** The next increment of a block. */
export interface Appending {
  readonly block: number;
  /** Name of the build attempt: increments of another one do not go on from it. */
  readonly attempt: string;
  readonly increment: Increment;
}

/** A block begins, with increment 0. */
export interface Opening extends Appending {
  readonly base: BlockBase;
}

/** A block of the chain's own. */
export interface CanonicalBlock {
  readonly number: number;
  /** 32 bytes. */
  readonly hash: Uint8Array;
  /** 32 bytes. */
  readonly parentHash: Uint8Array;
  /** In order, 32 bytes each. */
  readonly transactionHashes: readonly Uint8Array[];
}

/**
 * Why a canonical block voids what is pre-confirmed. `anchor`: the block that it is built on is another one, or gone.
 * `skipped`: blocks between that and the canonical one were never compared. `parent`: same number, another parent.
 * `transactions`: another list. `incomplete`: only the beginning of the list is here.
 */
export type ReorgReason = 'anchor' | 'skipped' | 'parent' | 'transactions' | 'incomplete';

/** `depth`: too far ahead of the canonical blocks. `passed`: the canonical chain is beyond it. `conflict`: one increment told in two ways. */
export type AbandonReason = ReorgReason | 'depth' | 'passed' | 'conflict' | 'rejected';

/** To be carried out in order. */
export type News =
  | ({ readonly kind: 'open' } & Opening)
  | ({ readonly kind: 'append' } & Appending)
  /** The block of this number begins anew: everything told of it and of all above it is void. */
  | ({ readonly kind: 'replace' } & Opening)
  /** Everything told of this block and of all above it is void. */
  | { readonly kind: 'abandon'; readonly block: number; readonly reason: AbandonReason }
  /** Increments of this block will not come; those before them stay right. `block`: `null` where it is not known. */
  | { readonly kind: 'gap'; readonly block: number | null; readonly reason: string }
  /** Increments of this block that were missing have come. */
  | { readonly kind: 'filled'; readonly block: number }
  /**
   * The canonical block takes its place here: `promote` the pre-confirmed block of its number as it is, or `execute` it on
   * its own parent. Blocks that open afterwards are built on it.
   */
  | { readonly kind: 'canonical'; readonly block: CanonicalBlock; readonly outcome: 'promote' | 'execute' }
  /** The stream's connection is lost: increments may be missing from here on. `reason`: for the operator. */
  | { readonly kind: 'down'; readonly reason: string };

/** Increments, as a stream tells of them. */
export type ToldIncrement = Extract<News, { readonly kind: 'open' | 'append' }>;

/** All that a source of a stream tells. */
export type SourceNews = ToldIncrement | Extract<News, { readonly kind: 'gap' | 'down' }>;

/** All that a stream tells. `lapse`: one of its sources lacks something, which the others may tell. */
export type StreamNews = SourceNews | { readonly kind: 'lapse'; readonly reason: string };
