// Checks the node's results of methods that are implemented here but forwarded because a block or state is not
// resident: each must have the type of its method, and belong to the requested block, or it is an error. Pure.
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import { toBytes } from '../../lib/bytes/words.js';
import { checkedHeader } from './block-json.js';
import { hexOf, isAbsent, listOf, membersOf, quantityOf, wrong, type JsonObject } from './json.js';

/** Returns the result as it is passed on; throws UpstreamError if it is wrong. `what` names it in the message. */
type Check = (result: unknown, what: string, params: readonly unknown[]) => unknown;

/** Some nodes write leading zeros. */
const quantity: Check = (result, what) => toQuantity(quantityOf(result, what));
/** A word; some nodes write a quantity. */
const word: Check = (result, what) => toHex(toBytes(quantityOf(result, what), 32));
const bytes: Check = (result, what) => hexOf(result, what);
const object: Check = (result, what) => membersOf(result, what);

function fixed(length: number): Check {
  return (result, what) => hexOf(result, what, length);
}

function orNull(check: Check): Check {
  return (result, what, params) => (isAbsent(result) ? null : check(result, what, params));
}

function listed(check: Check): Check {
  return (result, what, params) => listOf(result, what).map((item) => check(item, what, params));
}

/** Checks one member of an object. */
function member(members: JsonObject, name: string, check: Check): void {
  check(members[name], name, []);
}

const hash = fixed(32);

const transaction: Check = (result, what, params) => {
  const members = membersOf(result, what);
  member(members, 'hash', hash);
  return ofAsked(members, params);
};

/** The transaction of a sender and its nonce. */
const sendersTransaction: Check = (result, what, [from, nonce]) => {
  const members = membersOf(result, what);
  member(members, 'hash', hash);
  if (isSame(members['from'], String(from)) && isSame(members['nonce'], String(nonce))) return members;
  return wrong(`it gives another transaction for ${String(from)}, nonce ${String(nonce)}`);
};

const receipt: Check = (result, what, params) => {
  const members = membersOf(result, what);
  member(members, 'transactionHash', hash);
  listOf(members['logs'], 'logs').forEach((each) => log(each, 'a log', []));
  return ofAsked(members, params);
};

const log: Check = (result, what) => {
  const members = membersOf(result, what);
  member(members, 'address', fixed(20));
  member(members, 'topics', listed(hash));
  member(members, 'data', bytes);
  return members;
};

const block: Check = (result, what, [asked, isFull]) => {
  const members = membersOf(result, what);
  checkedHeader(members);
  const name = typeof asked === 'string' && asked.length === HASH_LENGTH ? 'hash' : 'number';
  if (isNamed(asked) && !isSame(members[name], asked)) return wrong(`it gives another block for ${asked}`);
  listOf(members['transactions'], 'the list of transactions').forEach((each) =>
    isFull === true ? transaction(each, 'a transaction', [asked]) : hash(each, 'the hash of a transaction', []),
  );
  return members;
};

const uncle: Check = (result, what) => {
  const members = membersOf(result, what);
  checkedHeader(members);
  return members;
};

const accountInfo: Check = (result, what) => {
  const members = membersOf(result, what);
  member(members, 'balance', quantity);
  member(members, 'nonce', quantity);
  member(members, 'code', bytes);
  return members;
};

const accessList: Check = (result, what) => {
  const members = membersOf(result, what);
  member(members, 'gasUsed', quantity);
  for (const item of listOf(members['accessList'], 'accessList')) {
    const entry = membersOf(item, 'an entry of an access list');
    member(entry, 'address', fixed(20));
    member(entry, 'storageKeys', listed(hash));
  }
  return members;
};

/** One account of a block access list (EIP-7928). */
const accountAccess: Check = (result, what) => {
  const members = membersOf(result, what);
  member(members, 'address', fixed(20));
  for (const name of ['storageChanges', 'balanceChanges', 'nonceChanges', 'codeChanges'])
    member(members, name, listed(object));
  member(members, 'storageReads', listed(hash));
  return members;
};

const simulated: Check = (result, what) => {
  const members = membersOf(result, what);
  member(members, 'calls', listed(object));
  return members;
};

const bundle: Check = (result, what, [asked]) => {
  const members = membersOf(result, what);
  for (const item of listOf(members['results'], 'the results of a bundle')) {
    const one = membersOf(item, 'a result of a bundle');
    member(one, 'txHash', hash);
    if (membersOf(asked, what)['stateDiff'] === true) member(one, 'stateDiff', object);
  }
  return members;
};

const feeHistory: Check = (result, what) => {
  const members = membersOf(result, what);
  member(members, 'oldestBlock', quantity);
  member(members, 'baseFeePerGas', orNull(listed(quantity)));
  member(members, 'reward', orNull(listed(orNull(listed(quantity)))));
  for (const ratio of listOf(members['gasUsedRatio'] ?? [], 'gasUsedRatio'))
    if (typeof ratio !== 'number') wrong('gasUsedRatio is no list of numbers');
  return members;
};

/** Words of every account, as many as were requested, under the requested names. */
const storageValues: Check = (result, what, [asked]) => {
  const given = new Map(Object.entries(membersOf(result, what)).map(([name, list]) => [name.toLowerCase(), list]));
  const wanted = Object.entries(asked as Readonly<Record<string, readonly unknown[]>>);
  const entries = wanted.map(([name, slots]) => {
    const words = listOf(given.get(name.toLowerCase()), what).map((each) => word(each, what, []));
    return words.length === slots.length ? [name, words] : wrong(`${what} has other slots than were asked for`);
  });
  return Object.fromEntries(entries) as unknown;
};

const CHECKS: ReadonlyMap<string, Check> = new Map([
  ['eth_getTransactionCount', quantity],
  ['eth_getBalance', quantity],
  ['eth_getCode', bytes],
  ['eth_getStorageAt', word],
  ['eth_getStorageValues', storageValues],
  ['eth_estimateGas', quantity],
  ['eth_call', bytes],
  ['eth_createAccessList', accessList],
  ['eth_simulateV1', listed(simulated)],
  ['eth_callMany', listed(listed(object))],
  ['debug_traceCall', object],
  ['debug_traceTransaction', object],
  ['debug_traceBlockByNumber', listed(object)],
  ['debug_traceBlockByHash', listed(object)],
  ['eth_callBundle', bundle],
  ['base_meterBundle', bundle],
  ['eth_getBlockByNumber', orNull(block)],
  ['eth_getBlockByHash', orNull(block)],
  ['eth_getBlockAccessList', orNull(listed(accountAccess))],
  ['eth_getBlockReceipts', orNull(listed(receipt))],
  ['eth_getBlockTransactionCountByNumber', orNull(quantity)],
  ['eth_getBlockTransactionCountByHash', orNull(quantity)],
  ['eth_getTransactionByBlockNumberAndIndex', orNull(transaction)],
  ['eth_getTransactionByBlockHashAndIndex', orNull(transaction)],
  ['eth_getTransactionByHash', orNull(transaction)],
  ['eth_getTransactionBySenderAndNonce', orNull(sendersTransaction)],
  ['eth_getTransactionReceipt', orNull(receipt)],
  ['eth_getLogs', listed(log)],
  ['eth_getRawTransactionByHash', bytes],
  ['eth_getRawTransactionByBlockNumberAndIndex', bytes],
  ['eth_getRawTransactionByBlockHashAndIndex', bytes],
  ['debug_getRawTransaction', bytes],
  ['debug_getRawHeader', bytes],
  ['debug_getRawBlock', bytes],
  ['debug_getRawReceipts', listed(bytes)],
  ['eth_fillTransaction', object],
  ['eth_getUncleCountByBlockNumber', orNull(quantity)],
  ['eth_getUncleCountByBlockHash', orNull(quantity)],
  ['eth_getUncleByBlockNumberAndIndex', orNull(uncle)],
  ['eth_getUncleByBlockHashAndIndex', orNull(uncle)],
  ['eth_getAccountInfo', accountInfo],
  ['net_peerCount', quantity],
  ['eth_config', object],
  ['eth_capabilities', object],
  ['eth_gasPrice', quantity],
  ['eth_maxPriorityFeePerGas', quantity],
  ['eth_baseFee', quantity],
  ['eth_blobBaseFee', orNull(quantity)],
  ['eth_feeHistory', feeHistory],
  ['eth_sendRawTransaction', hash],
]);

/**
 * The result of a method that is implemented here, checked; any other unchanged. Throws UpstreamError if it is wrong.
 */
export function checkedResult(method: string, params: readonly unknown[], result: unknown): unknown {
  const check = CHECKS.get(method);
  return check === undefined ? result : check(result, method, params);
}

const HASH_LENGTH = 66;
const HEX = /^0x[0-9a-f]+$/i;

/** True for a number or a hash, false for a tag. */
function isNamed(asked: unknown): asked is string {
  return typeof asked === 'string' && HEX.test(asked);
}

function isSame(value: unknown, asked: string): boolean {
  return typeof value === 'string' && HEX.test(value) && BigInt(value) === BigInt(asked);
}

/** A transaction or receipt, which must have the requested hash, block number or block hash. */
function ofAsked(members: JsonObject, [asked]: readonly unknown[]): JsonObject {
  const names = ['hash', 'transactionHash', 'blockHash', 'blockNumber'];
  if (!isNamed(asked) || names.some((name) => isSame(members[name], asked))) return members;
  return wrong(`it gives something of another place for ${asked}`);
}
