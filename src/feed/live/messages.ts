// What a live feed is asked, and what it says: the part of the publisher's protocol that is its own. Runs on main and on the
// publisher.
import type { PublishedTransaction } from '../../state/block.js';
import type { Wants } from '../../state/recording-view.js';
import type { RpcErrorObject } from '../../upstream/upstream.js';
import type { LiveStatus } from './status.js';

/** Asked by main on behalf of a client. */
export type LiveQuestion =
  /**
   * Make all of this state held; answered by `filled` or `unfilled`. `call`: what it is for, as eth_call takes it: the
   * upstream may know what else that reads.
   */
  | { readonly kind: 'fill'; readonly id: number; readonly wants: Wants; readonly call?: unknown }
  /** Any method, for the upstream node; answered by `response` or `refusal`, of use until `untilMs` of the monotonic clock. */
  | {
      readonly kind: 'request';
      readonly id: number;
      readonly method: string;
      readonly params: readonly unknown[];
      readonly untilMs: number;
    };

/** Said by a live feed. */
export type LiveMessage =
  /** A table to read from now on: the first one, or a larger one that takes the place of a full one. */
  | {
      readonly kind: 'table';
      readonly generation: number;
      readonly buffer: SharedArrayBuffer;
      /** Whether versions go on from those of the table before; otherwise everything is new. */
      readonly continues: boolean;
    }
  /** A version has been published: the transactions new in it, and the gas used by the block so far. */
  | {
      readonly kind: 'published';
      readonly version: number;
      readonly block: number;
      readonly index: number;
      readonly gasUsed: bigint;
      readonly transactions: readonly PublishedTransaction[];
    }
  /** A block of a live chain is complete: as the archive would keep it, environment and receipts included. */
  | {
      readonly kind: 'block';
      readonly number: number;
      readonly hash: Uint8Array;
      readonly record: Uint8Array;
      readonly transactions: readonly Uint8Array[];
    }
  | { readonly kind: 'live'; readonly status: LiveStatus }
  | { readonly kind: 'filled'; readonly id: number }
  | { readonly kind: 'unfilled'; readonly id: number; readonly message: string }
  /** JSON text of the upstream's result. */
  | { readonly kind: 'response'; readonly id: number; readonly result: string }
  /** `rpc`: the error that the upstream has answered; `null`: it has not answered. */
  | { readonly kind: 'refusal'; readonly id: number; readonly message: string; readonly rpc: RpcErrorObject | null }
  /** Shown to the operator; `share` as in feed.ts. */
  | { readonly kind: 'progress'; readonly text: string; readonly share?: number | null | undefined };
