// What the transactions of a block have changed, from go-ethereum's prestateTracer in diff mode. Pure.
// Runs on the publisher.
//
// The tracer tells, transaction by transaction, `pre` (each changed account as it was, and the slots that changed) and
// `post` (only what is different now). An account that is in `pre` alone is gone; a slot that is in `pre` alone is zero.
import { keccak256 } from '../evm/crypto.js';
import { toBytes } from '../lib/words.js';
import type { AccountChange, CodeChange, SlotChange } from '../state/diff.js';
import { EMPTY_CODE_HASH } from '../state/view.js';
import { bytesOf, isAbsent, listOf, membersOf, quantityOf, type Members } from './json.js';
import type { StateFill } from './upstream.js';

interface Traced {
  readonly accounts: Map<string, AccountChange>;
  readonly slots: Map<string, SlotChange>;
  readonly codes: Map<string, CodeChange>;
}

/** Final values after the last transaction. Throws UpstreamError where the answer is no such trace. */
export function fillOfTrace(json: unknown): StateFill {
  const traced: Traced = { accounts: new Map(), slots: new Map(), codes: new Map() };
  for (const entry of listOf(json, 'the trace of a block')) {
    const { pre, post } = membersOf(membersOf(entry, 'a trace')['result'], 'the result of a trace');
    takeTransaction(traced, membersOf(pre, 'pre'), membersOf(post, 'post'));
  }
  const { accounts, slots, codes } = traced;
  return { accounts: [...accounts.values()], slots: [...slots.values()], codes: [...codes.values()] };
}

function takeTransaction(traced: Traced, pre: Members, post: Members): void {
  for (const name of new Set([...Object.keys(pre), ...Object.keys(post)])) {
    const before = isAbsent(pre[name]) ? {} : membersOf(pre[name], 'an account');
    const after = isAbsent(post[name]) ? null : membersOf(post[name], 'an account');
    const address = bytesOf(name, 'an address', 20);
    takeAccount(traced, address, before, after);
    takeSlots(traced, address, before, after);
  }
}

function takeAccount({ accounts, codes }: Traced, address: Uint8Array, before: Members, after: Members | null): void {
  const key = Buffer.from(address).toString('hex');
  if (after === null) return void accounts.set(key, { address, account: null });
  const now: Members = { ...before, ...after };
  const code = isAbsent(now['code']) ? new Uint8Array(0) : bytesOf(now['code'], 'code', null);
  const codeHash = code.length === 0 ? EMPTY_CODE_HASH : keccak256(code);
  if (code.length > 0) codes.set(Buffer.from(codeHash).toString('hex'), { hash: codeHash, bytes: code });
  accounts.set(key, {
    address,
    account: { nonce: nonceOf(now['nonce']), balance: optional(now['balance']), codeHash },
  });
}

function takeSlots({ slots }: Traced, address: Uint8Array, before: Members, after: Members | null): void {
  const old = isAbsent(before['storage']) ? {} : membersOf(before['storage'], 'storage');
  const now = isAbsent(after?.['storage']) ? {} : membersOf(after['storage'], 'storage');
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
    const slot = bytesOf(name, 'a slot', 32);
    const key = Buffer.concat([address, slot]).toString('hex');
    slots.set(key, { address, slot, value: toBytes(optional(now[name]), 32) });
  }
}

/** The tracer writes nonces as JSON numbers. */
function nonceOf(value: unknown): bigint {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : optional(value);
}

function optional(value: unknown): bigint {
  return isAbsent(value) ? 0n : quantityOf(value, 'a value of the trace');
}
