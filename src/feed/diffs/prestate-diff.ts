// Reads diffs of go-ethereum's prestateTracer in diff mode, as debug_traceBlockByHash returns them: `{pre, post}` for
// each transaction. reth and nodes derived from it return the same. Pure.
//
// `pre` has each account as it was before the transaction. It leaves out a nonce of zero, empty code, and slots that
// were zero or have not changed. `post` has only the fields that changed. An account that is only in `pre` is shown as
// deleted. A slot that is only in `pre` is zero now.
import { parseDelegation } from '../../evm/delegation.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { parseHex, toHex } from '../../lib/bytes/hex.js';
import { ZERO_WORD, toBytes, EMPTY_BYTES } from '../../lib/bytes/big-endian.js';
import { EMPTY_CODE_HASH } from '../../state/views/state-view.js';
import {
  parseBytes,
  parseHexString,
  isAbsent,
  asJsonArray,
  asJsonObject,
  parseQuantity,
  throwWrongAnswer,
  type JsonObject,
} from '../../upstream/reads/json-values.js';
import type { AccountDiff, SlotDiff, TransactionDiff } from './transaction-diff.js';
import { codeHashOf, NO_FIELD_CHANGES, type AccountFields } from './block-writes.js';

/** Second parameter of debug_traceBlockByHash; the first one is the block's hash. */
export const PRESTATE_DIFF_TRACER_CONFIG = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } } as const;

/** One account in `pre` or `post`: its fields, and its slots by their 32-byte key in hexadecimal. */
interface Side extends AccountFields {
  readonly codeHash: Uint8Array | null;
  readonly slots: ReadonlyMap<string, Uint8Array>;
}

const NO_SLOTS: ReadonlyMap<string, Uint8Array> = new Map();
/** Used for an account that `pre` lacks, because the transaction creates it. Its balance before may not be zero. */
const CREATED: Side = { nonce: 0n, balance: null, code: EMPTY_BYTES, codeHash: null, slots: NO_SLOTS };

/**
 * Parses the result of debug_traceBlockByHash with PRESTATE_DIFF_TRACER_CONFIG. `hashes` are the hashes of the block's
 * transactions, in order. Throws UpstreamError if the result is malformed, incomplete, or belongs to other
 * transactions.
 */
export function parsePrestateDiffs(result: unknown, hashes: readonly Uint8Array[]): TransactionDiff[] {
  const list = asJsonArray(result, 'the traces of a block');
  if (list.length !== hashes.length) throwWrongAnswer(`${list.length} traces for ${hashes.length} transactions`);
  const codes: Codes = new Map();
  return list.map((each, at) => prestateDiff(unwrapTraceResult(each, hashes[at]!), codes));
}

/**
 * Returns the trace inside `{txHash, result}`, after checking that `txHash` is the hash of the expected transaction.
 */
function unwrapTraceResult(json: unknown, hash: Uint8Array): unknown {
  const { txHash, result, error } = asJsonObject(json, 'a trace');
  if (!isAbsent(error))
    throwWrongAnswer(`transaction ${toHex(hash)} cannot be traced: ${JSON.stringify(error).slice(0, ERROR_CHARS_MAX)}`);
  if (!isAbsent(txHash) && !sameBytes(parseBytes(txHash, 'txHash', 32), hash))
    throwWrongAnswer('a trace is of another transaction');
  return result;
}

const ERROR_CHARS_MAX = 120;

function prestateDiff(json: unknown, codes: Codes): TransactionDiff {
  const { pre, post } = asJsonObject(json, 'a diff');
  const before = sidesOf(pre, 'pre', codes);
  const after = sidesOf(post, 'post', codes);
  return [...new Set([...before.keys(), ...after.keys()])].map((name) => {
    return accountDiff(name, before.get(name) ?? CREATED, after.get(name) ?? null);
  });
}

function accountDiff(name: string, before: Side, after: Side | null): AccountDiff {
  const address = parseBytes(name, 'an address', 20);
  if (after === null || (isNowhere(after) && before !== CREATED))
    return { address, before, after: NO_FIELD_CHANGES, isGone: true, isVague: false, slots: [] };
  return { address, before, after, isGone: false, isVague: isVague(before, after), slots: slotsOf(before, after) };
}

/** Returns true for an account that was touched but does not exist: go-ethereum reports a code hash of zeros for it. */
function isNowhere({ codeHash }: Side): boolean {
  return codeHash !== null && sameBytes(codeHash, ZERO_WORD);
}

/**
 * Returns true if the tracer may have left out a change of the code. After a delegation (EIP-7702) is removed, the
 * account has no code any more. Some nodes show this as if the code had not changed.
 */
function isVague({ nonce, code, codeHash }: Side, after: Side): boolean {
  if (after.code !== null || isNowhere(after)) return false;
  const wasDelegated = code !== null && parseDelegation(code) !== null;
  const isReported = codeHash !== null && after.codeHash === null;
  return after.codeHash !== null || (wasDelegated && !isReported && after.nonce !== null && after.nonce !== nonce);
}

function slotsOf(before: Side, after: Side): SlotDiff[] {
  return [...new Set([...before.slots.keys(), ...after.slots.keys()])].map((name) => ({
    slot: parseBytes(name, 'a slot', 32),
    before: before.slots.get(name) ?? ZERO_WORD,
    after: after.slots.get(name) ?? ZERO_WORD,
  }));
}

function sidesOf(json: unknown, side: 'pre' | 'post', codes: Codes): Map<string, Side> {
  const sides = new Map<string, Side>();
  for (const [key, value] of Object.entries(asJsonObject(json, side))) {
    const name = parseHexString(key, 'an address', 20).toLowerCase();
    if (sides.has(name)) throwWrongAnswer(`${side} has ${name} twice`);
    sides.set(name, sideOf(asJsonObject(value, 'an account'), side === 'pre', name, codes));
  }
  return sides;
}

/** Parses the members of account `name`. */
function sideOf(members: JsonObject, isPre: boolean, name: string, codes: Codes): Side {
  const { nonce, balance, code, codeHash, storage } = members;
  const known = isAbsent(code) ? null : codeOf(code, name, codes);
  const hash = isAbsent(codeHash) ? null : parseBytes(codeHash, 'codeHash', 32);
  if (known !== null && hash !== null && !sameBytes(codeHashOf(known), hash))
    throwWrongAnswer('codeHash is not that of the code');
  return {
    nonce: isAbsent(nonce) ? zeroIf(isPre) : nonceOf(nonce),
    balance: isAbsent(balance) ? null : parseQuantity(balance, 'balance'),
    code: known ?? (isPre && (hash === null || sameBytes(hash, EMPTY_CODE_HASH)) ? EMPTY_BYTES : null),
    codeHash: hash,
    slots: isAbsent(storage) ? NO_SLOTS : wordsOf(asJsonObject(storage, 'storage')),
  };
}

/**
 * Parsed code by account address, with the string that it was parsed from. The diff of every transaction that touches a
 * contract repeats the contract's code. It is parsed once.
 */
type Codes = Map<string, { readonly text: unknown; readonly code: Uint8Array }>;

function codeOf(text: unknown, name: string, codes: Codes): Uint8Array {
  const known = codes.get(name);
  if (known?.text === text) return known!.code;
  const code = parseBytes(text, 'code', null);
  codes.set(name, { text, code });
  return code;
}

function zeroIf(isZero: boolean): bigint | null {
  return isZero ? 0n : null;
}

/** Parses a nonce, which go-ethereum and reth send as a JSON number. */
function nonceOf(value: unknown): bigint {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? BigInt(value)
    : parseQuantity(value, 'nonce');
}

function wordsOf(storage: JsonObject): ReadonlyMap<string, Uint8Array> {
  return new Map(
    Object.entries(storage).map(([slot, word]) => [toHex(wordOf(slot, 'a slot')), wordOf(word, 'a word')]),
  );
}

/** Parses a word: some nodes write all 32 bytes, others leave out leading zeros. */
function wordOf(value: unknown, what: string): Uint8Array {
  const whole =
    typeof value === 'string' && value.length === WORD_CHARS && value.startsWith('0x') ? parseHex(value, 2) : null;
  return whole ?? toBytes(parseQuantity(value, what), 32);
}

const WORD_CHARS = 66;
