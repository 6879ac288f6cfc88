// Checks results that the node has returned for methods that this program also implements. Such a request is forwarded
// if we do not have the block or its state. The result must have the type that the method returns, and must belong to
// the requested block. Otherwise it is an error. Pure.
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import { toBytes } from '../../lib/bytes/big-endian.js';
import { parseVerifiedHeader } from './verify-block-json.js';
import { METHODS, type ResultShape } from '../../methods.table.js';
import {
  parseHexString,
  isAbsent,
  asJsonArray,
  asJsonObject,
  parseQuantity,
  throwWrongAnswer,
  type JsonObject,
} from './json-values.js';

/** Checks a result, and returns it in the form for the client. Throws UpstreamError; `what` names the result in it. */
type Check = (result: unknown, what: string, params: readonly unknown[]) => unknown;

/** Checks a quantity. Leading zeros, which some nodes write, are removed. */
const quantity: Check = (result, what) => toQuantity(parseQuantity(result, what));
/** Checks a word, which some nodes write as a quantity. */
const word: Check = (result, what) => toHex(toBytes(parseQuantity(result, what), 32));
const bytes: Check = (result, what) => parseHexString(result, what);
const object: Check = (result, what) => asJsonObject(result, what);

function fixed(length: number): Check {
  return (result, what) => parseHexString(result, what, length);
}

function orNull(check: Check): Check {
  return (result, what, params) => (isAbsent(result) ? null : check(result, what, params));
}

function listed(check: Check): Check {
  return (result, what, params) => asJsonArray(result, what).map((item) => check(item, what, params));
}

function member(members: JsonObject, name: string, check: Check): void {
  check(members[name], name, []);
}

/** Checks an object by its members. */
function objectWith(checks: Readonly<Record<string, Check>>): Check {
  return (result, what) => {
    const members = asJsonObject(result, what);
    for (const [name, check] of Object.entries(checks)) member(members, name, check);
    return members;
  };
}

const hash = fixed(32);

const transaction: Check = (result, what, params) => {
  const members = asJsonObject(result, what);
  member(members, 'hash', hash);
  return isAddress(params[0]) ? ofSender(members, params) : ofRequested(members, params);
};

/** Checks that a transaction has the requested sender and nonce. */
function ofSender(members: JsonObject, [from, nonce]: readonly unknown[]): JsonObject {
  if (isSame(members['from'], String(from)) && isSame(members['nonce'], String(nonce))) return members;
  return throwWrongAnswer(`it gives another transaction for ${String(from)}, nonce ${String(nonce)}`);
}

const receipt: Check = (result, what, params) => {
  const members = asJsonObject(result, what);
  member(members, 'transactionHash', hash);
  asJsonArray(members['logs'], 'logs').forEach((each) => log(each, 'a log', []));
  return ofRequested(members, params);
};

const log = objectWith({ address: fixed(20), topics: listed(hash), data: bytes });

const block: Check = (result, what, [requested, isFull]) => {
  const members = asJsonObject(result, what);
  parseVerifiedHeader(members);
  const name = typeof requested === 'string' && requested.length === HASH_LENGTH ? 'hash' : 'number';
  if (isNamed(requested) && !isSame(members[name], requested))
    return throwWrongAnswer(`it gives another block for ${requested}`);
  asJsonArray(members['transactions'], 'the list of transactions').forEach((each) =>
    isFull === true ? transaction(each, 'a transaction', [requested]) : hash(each, 'the hash of a transaction', []),
  );
  return members;
};

const uncle: Check = (result, what) => {
  const members = asJsonObject(result, what);
  parseVerifiedHeader(members);
  return members;
};

const accountInfo = objectWith({ balance: quantity, nonce: quantity, code: bytes });

const accessListEntry = objectWith({ address: fixed(20), storageKeys: listed(hash) });

const accessListResult: Check = (result, what) => {
  const members = asJsonObject(result, what);
  member(members, 'gasUsed', quantity);
  for (const item of asJsonArray(members['accessList'], 'accessList'))
    accessListEntry(item, 'an entry of an access list', []);
  return members;
};

/** Checks one account of a block access list (EIP-7928). */
const accountAccess = objectWith({
  address: fixed(20),
  storageChanges: listed(object),
  balanceChanges: listed(object),
  nonceChanges: listed(object),
  codeChanges: listed(object),
  storageReads: listed(hash),
});

const simulatedBlock = objectWith({ calls: listed(object) });

/** Checks a trace, which is a list for flatCallTracer and an object otherwise. */
const trace: Check = (result, what, params) => (Array.isArray(result) ? listed(object) : object)(result, what, params);

const parityTrace = objectWith({ output: bytes, trace: listed(object) });

const bundleResults: Check = (result, what, [requested]) => {
  const members = asJsonObject(result, what);
  for (const item of asJsonArray(members['results'], 'the results of a bundle')) {
    const one = asJsonObject(item, 'a result of a bundle');
    member(one, 'txHash', hash);
    if (asJsonObject(requested, what)['stateDiff'] === true) member(one, 'stateDiff', object);
  }
  return members;
};

const feeHistory = objectWith({
  oldestBlock: quantity,
  baseFeePerGas: orNull(listed(quantity)),
  reward: orNull(listed(orNull(listed(quantity)))),
  gasUsedRatio: orNull(
    listed((ratio) => (typeof ratio === 'number' ? ratio : throwWrongAnswer('gasUsedRatio is no list of numbers'))),
  ),
});

/** Checks that each requested account has a list with as many words as slots were requested. */
const storageValues: Check = (result, what, [requested]) => {
  const received = new Map(
    Object.entries(asJsonObject(result, what)).map(([name, list]) => [name.toLowerCase(), list]),
  );
  const wanted = Object.entries(requested as Readonly<Record<string, readonly unknown[]>>);
  const entries = wanted.map(([name, slots]) => {
    const words = asJsonArray(received.get(name.toLowerCase()), what).map((each) => word(each, what, []));
    return words.length === slots.length ? [name, words] : throwWrongAnswer(`${what} has other slots than requested`);
  });
  return Object.fromEntries(entries) as unknown;
};

/** The checks, by the name of a result's type. A type without a check belongs to methods that are never forwarded. */
const CHECKS: Readonly<Partial<Record<ResultShape, Check>>> = {
  accessListResult,
  accountAccess,
  accountInfo,
  block,
  bundleResults,
  bytes,
  callResult: object,
  capabilities: object,
  feeHistory,
  filledTransaction: object,
  forkConfigs: object,
  hash,
  log,
  parityTrace,
  quantity,
  receipt,
  simulatedBlock,
  storageValues,
  trace,
  transaction,
  transactionTrace: object,
  uncle,
  word,
};

function checkOf(type: string): Check {
  if (type.endsWith('?')) return orNull(checkOf(type.slice(0, -1)));
  if (type.endsWith('[]')) return listed(checkOf(type.slice(0, -2)));
  return CHECKS[type as ResultShape] ?? ((result) => result);
}

const METHOD_CHECKS: ReadonlyMap<string, Check> = new Map(
  [...METHODS.values()].map(({ name, result }) => [name, checkOf(result)]),
);

/**
 * Checks the result of a method that this program implements, and returns it. The result of any other method is
 * returned unchanged. Throws UpstreamError.
 */
export function checkForwardedResult(method: string, params: readonly unknown[], result: unknown): unknown {
  const check = METHOD_CHECKS.get(method);
  return check === undefined ? result : check(result, method, params);
}

const HASH_LENGTH = 66;
const ADDRESS_LENGTH = 42;
const HEX = /^0x[0-9a-f]+$/i;

function isAddress(requested: unknown): boolean {
  return typeof requested === 'string' && requested.length === ADDRESS_LENGTH;
}

/** Returns true if a block is requested by number or hash, false if by a tag. */
function isNamed(requested: unknown): requested is string {
  return typeof requested === 'string' && HEX.test(requested);
}

function isSame(value: unknown, requested: string): boolean {
  return typeof value === 'string' && HEX.test(value) && BigInt(value) === BigInt(requested);
}

/** Checks that a result has the requested transaction hash, block number or block hash. */
function ofRequested(members: JsonObject, [requested]: readonly unknown[]): JsonObject {
  const names = ['hash', 'transactionHash', 'blockHash', 'blockNumber'];
  if (!isNamed(requested) || names.some((name) => isSame(members[name], requested))) return members;
  return throwWrongAnswer(`it gives something of another place for ${requested}`);
}
