// JSON of calls that scenarios send, and checks of their results. Runs in the generator and in the bench.
import type { Request } from '../load/loop.js';
import { hex32, pick, type Random } from '../load/random.js';
import { accountAt, accountNonce, type CallTemplate, type World } from '../suite/world.js';
import type { Exchange } from './scenario.js';

const QUANTITY = /^0x(0|[1-9a-f][0-9a-f]{0,63})$/;
const WORD = /^0x[0-9a-f]{64}$/;
/** Gas of a call that does nothing. */
const GAS_MIN = 21_000;

export function nonceCall(address: string, block: string, id = 1): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"eth_getTransactionCount","params":["${address}","${block}"]}`;
}

export function balanceCall(address: string, block: string, id = 1): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"eth_getBalance","params":["${address}","${block}"]}`;
}

export function slotCall([address, slot]: readonly [string, string], block: string, id = 1): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"eth_getStorageAt","params":["${address}","${slot}","${block}"]}`;
}

/** A random block parameter. */
export function blockOf({ blocks }: World, random: Random): string {
  return blocks.length === 1 ? blocks[0]! : pick(random, blocks);
}

/** Nonces of hot accounts. */
export function hotNonces(world: World, random: Random): () => Request {
  return () => single(nonceCall(pick(random, world.hot), blockOf(world, random)));
}

/** Estimates of one kind, each with a different sender, recipient and amount. */
export function estimates(world: World, random: Random, name: string): () => string {
  return executions(world, random, name, 'eth_estimateGas');
}

/**
 * Executions of one kind of call by a method, each with a different sender, recipient and amount. `further` are the
 * parameters after the block.
 */
export function executions(
  world: World,
  random: Random,
  name: string,
  method: string,
  ...further: readonly object[]
): () => string {
  const { calls, senders, hot } = world;
  const more = further.map((param) => `,${JSON.stringify(param)}`).join('');
  const texts = calls
    .filter((call) => call.name === name)
    .map((call) => `{"jsonrpc":"2.0","id":1,"method":"${method}","params":[${callText(call)},"%b"${more}]}`);
  if (texts.length === 0) throw new Error(`no call ${name} in this world`);
  const all = texts.map((text) => text.split(/(%[frdb])/));
  const value = (piece: string): string => {
    if (piece === '%b') return blockOf(world, random);
    if (piece === '%d') return hex32(random() * 2 ** 32);
    if (piece === '%f') return pick(random, senders).slice(2);
    return piece === '%r' ? pick(random, hot).slice(2) : piece;
  };
  return () => pick(random, all).map(value).join('');
}

/** A random filler account. */
export function anyAccount({ accounts }: World, random: Random): string {
  return accountAt(Math.floor(random() * accounts));
}

export function single(body: string): Request {
  return { body, calls: 1 };
}

/** Checks a result of these methods; nonces of filler accounts are known. Returns the fault, or `null`. */
export function faultOf({ accounts, isStill }: World, { method, params, result }: Exchange): string | null {
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  const isForm = method === 'eth_getStorageAt' ? WORD.test(text) : QUANTITY.test(text);
  if (!isForm) return `${text.slice(0, 80)} is not a result of ${method}`;
  if (method === 'eth_estimateGas' && Number(text) < GAS_MIN) return `${text} is below the minimum of any transaction`;
  const isKnown = method === 'eth_getTransactionCount' && isStill && accounts > 0;
  const expected = isKnown ? accountNonce(String(params[0])) : null;
  return expected === null || Number(text) === expected ? null : `the nonce is ${expected}, not ${text}`;
}

/** Requests of these estimates, one each. */
export function singleEstimates(world: World, random: Random, name: string): () => Request {
  const next = estimates(world, random, name);
  return () => single(next());
}

/** The reason why these estimates are unavailable, or `null`. */
export function missingCall({ calls }: World, name: string): string | null {
  return calls.some((call) => call.name === name) ? null : 'the state has no such calls';
}

function callText({ from, to, value, data }: CallTemplate): string {
  return JSON.stringify({
    from,
    to,
    ...(value === undefined ? {} : { value }),
    ...(data === undefined ? {} : { data }),
  });
}
