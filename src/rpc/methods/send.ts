// Methods that hand in a transaction, where the chain is made here. Runs on main.
import { isError, type CallResult, type MethodParts, type Run } from './method.js';
import { rpcError } from '../../errors.js';
import { keccak256 } from '../../lib/keccak.js';
import { LIMITS } from '../../limits.js';
import type { Inclusion } from '../executed-blocks.js';
import type { ChainEvent } from '../push/chain-events.js';
import type { Arguments } from './arguments.js';
import { renderReceipt } from './render.js';

/** What chains say of a transaction that they have: it is waited for like a new one. */
const KNOWN = /already known|already imported/i;

/** `[raw transaction]`: its hash, once the chain has taken it. */
export const sendRawTransaction: Run = (args, _readView, parts) => {
  const raw = readRaw(args);
  if (args.failure) return args.failure;
  return parts.submit === null ? rpcError('methodNotFound') : parts.submit(raw);
};

/**
 * `[raw transaction, milliseconds?]` (EIP-7966): its receipt, once it is pre-confirmed. Where that takes too long, code 4 and the
 * hash: the transaction may still come.
 */
export const sendRawTransactionSync: Run = (args, readView, parts) => {
  const raw = readRaw(args);
  const waitMs = readWait(args);
  if (args.failure) return args.failure;
  const hash = keccak256(raw);
  const found = parts.executed.find(readView, hash);
  if (found !== null) return receiptText(found);
  return sentAndSeen(raw, { hash, waitMs }, parts);
};

function readRaw(args: Arguments): Uint8Array {
  const raw = args.bytes(0);
  if (raw.length > LIMITS.transactionBytesMax) {
    const text = `oversized data: transaction size ${raw.length}, limit ${LIMITS.transactionBytesMax}`;
    args.failure ??= rpcError('transactionRejected', text);
  }
  return raw;
}

/** A number, in decimal or as a quantity; more than the bound is the bound. */
function readWait(args: Arguments): number {
  if (!args.has(1)) return LIMITS.receiptWaitMs;
  const given = Number(args.required(1));
  if (!Number.isSafeInteger(given) || given < 1) args.fail('invalid argument 1: not a number of milliseconds');
  return Math.min(given, LIMITS.receiptWaitMsMax);
}

/** Listens before it sends: nothing is missed in between. */
async function sentAndSeen(raw: Uint8Array, wanted: Wanted, parts: MethodParts): Promise<CallResult> {
  if (parts.submit === null) return rpcError('methodNotFound');
  if (parts.events.listeners >= LIMITS.receiptWaitersMax) return rpcError('overload');
  const given = new AbortController();
  const receipt = receiptOf(wanted, given.signal, parts);
  const sent = await parts.submit(raw);
  if (!isError(sent) || KNOWN.test(sent.message)) return receipt;
  given.abort();
  return sent;
}

interface Wanted {
  readonly hash: Uint8Array;
  readonly waitMs: number;
}

/** The receipt when an increment or a block brings it, or the error that it has not come. `isOver`: nobody waits any more. */
function receiptOf(
  { hash, waitMs }: Wanted,
  isOver: AbortSignal,
  { events, executed }: MethodParts,
): Promise<CallResult> {
  return new Promise((resolve) => {
    const end = (result: CallResult): void => {
      clearTimeout(timer);
      unlisten();
      resolve(result);
    };
    const text = `the transaction was not pre-confirmed within ${waitMs} ms`;
    const timer = setTimeout(() => end(rpcError('notIncluded', text, hash)), waitMs);
    const unlisten = events.listen(({ event }) => {
      const found = inclusionIn(event, hash, (placed) => executed.placed(placed));
      if (found !== null) end(receiptText(found));
    });
    isOver.addEventListener('abort', () => end('null'), { once: true });
  });
}

function inclusionIn(
  event: ChainEvent,
  hash: Uint8Array,
  open: (placed: Extract<ChainEvent, { kind: 'confirmed' }>) => Inclusion['block'] | null,
): Inclusion | null {
  if (event.kind !== 'increment' && event.kind !== 'confirmed') return null;
  const block = event.kind === 'increment' ? event.read().block : open(event);
  const index = block?.transactions.findIndex((each) => Buffer.compare(each.hash, hash) === 0) ?? -1;
  return block === null || index < 0 ? null : { block, index };
}

function receiptText(inclusion: Inclusion): string {
  return JSON.stringify(renderReceipt(inclusion));
}
