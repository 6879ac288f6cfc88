// Random calls traced by two programs on one genesis, and the life of real contracts on a node and on a follower:
// frames, logs, accounts, diffs and steps equal anvil's, except for what is removed from both here, each with its
// reason. What we do there was compared with go-ethereum by hand.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { after, before, describe, test } from 'node:test';
import { JsonRpcProvider, type Wallet } from 'ethers';
import * as fc from 'fast-check';
import { until } from '../support/patience.js';
import { Server } from '../support/server.js';
import { temporaryFile } from '../support/temporary-folder.js';
import { queryAll, type Answer } from './conversation.js';
import { contractsOf, usesOf } from './contracts.js';
import { bareGenesisText, CHAIN_ID, GAS_LIMIT, genesisText, quantity, WALLETS } from './genesis.js';
import { asAnvilExpects, traceParamsOf } from './anvil-conventions.js';
import { Peer } from './peer.js';
import { request, type Request } from './requests.js';
import type { Frame } from './trace.js';
import { rounds } from '../support/rounds.js';

const SEED = Number(process.env['DIFFERENTIAL_SEED'] ?? 20_261_126);
const REQUESTS = rounds(60);
/** Some of the requests cannot start, which both report. */
const TRACED_MIN = REQUESTS * 0.6;
const ONCE = ['debug_traceTransaction'];
const EVERY_STEP = { enableMemory: true, enableReturnData: true };
const BLOCK_GAS = 60_000_000;
const GWEI = 10n ** 9n;

void describe('anvil traces', () => {
  let ours: Server;
  let anvil: Peer;
  const requests = fc.sample(request, { seed: SEED, numRuns: REQUESTS });

  before(async () => {
    const file = temporaryFile('genesis.json', genesisText());
    ours = await Server.startPatient('--genesis', file, '--gas-cap', `${GAS_LIMIT}`, '--workers', '1');
    anvil = await Peer.start(file, CHAIN_ID, GAS_LIMIT);
  });

  after(() => Promise.all([ours?.stop(), anvil?.stop()]));

  /** Both results for each request that both trace, normalized so that they must be equal. */
  async function compare(
    config: object,
    form: (value: unknown, call: Request, other: unknown) => unknown,
  ): Promise<void> {
    const query = (url: string): Promise<Answer[]> =>
      queryAll(
        url,
        requests.map((call) => ({
          method: 'debug_traceCall',
          params: traceParamsOf(asAnvilExpects('eth_call', call), config),
        })),
      );
    const [own, theirs] = await Promise.all([query(ours.url), query(anvil.url)]);
    let traced = 0;
    for (const [i, call] of requests.entries()) {
      const [a, b] = [own[i]!, theirs[i]!];
      // anvil traces calls that pay less than the base fee.
      if (a.kind === 'value') assert.equal(b.kind, 'value', JSON.stringify([call, b]));
      if (a.kind !== 'value' || b.kind !== 'value') continue;
      const what = `seed ${SEED}, request ${i}: ${JSON.stringify(call)}`;
      assertSame(form(a.value, call, b.value), form(b.value, call, a.value), what);
      traced++;
    }
    assert.ok(traced >= TRACED_MIN, `${traced} are traced by both`);
  }

  void test('callTracer', () =>
    compare({ tracer: 'callTracer', tracerConfig: { withLog: true } }, (value, call) =>
      frameForm(value as Frame, call, null),
    ));

  void test('prestateTracer', () =>
    compare({ tracer: 'prestateTracer', tracerConfig: { diffMode: true } }, (value, call) =>
      diffForm(value as Record<'pre' | 'post', Accounts>, call),
    ));

  void test('the struct logger', () =>
    compare(EVERY_STEP, (value, { call }, other) => {
      const [end, ...steps] = stepsForm(value as Steps, other as Steps);
      return call.authorizationList === undefined ? [end, ...steps] : steps;
    }));
});

void describe('anvil traces transactions of real contracts', () => {
  let ours: Server;
  let anvil: Peer;
  let sent: readonly Sent[];

  before(async () => {
    const file = temporaryFile('genesis.json', bareGenesisText());
    anvil = await Peer.start(file, CHAIN_ID, BLOCK_GAS, '--steps-tracing');
    ours = await Server.startPatient('--upstream', anvil.url, '--genesis', file, '--workers', '1');
    sent = await live(anvil, ours);
  });

  after(() => Promise.all([ours?.stop(), anvil?.stop()]));

  /** Both traces of every transaction, and of the same call after all of them, normalized. */
  async function compare(
    config: object,
    form: (value: unknown, other: unknown) => unknown,
    methods: readonly string[] = [...ONCE, 'debug_traceCall'],
  ): Promise<void> {
    const questions = sent.flatMap(({ hash, call }) =>
      methods.map((method) => ({
        method,
        params: method === 'debug_traceCall' ? [call, 'latest', config] : [hash, config],
      })),
    );
    // Step traces are long: a batch of them would exceed the size of a response.
    const [own, theirs] = await Promise.all([queryAll(ours.url, questions, 1), queryAll(anvil.url, questions, 1)]);
    for (const [i, { method }] of questions.entries()) {
      const what = `${sent[Math.floor(i / methods.length)]!.name}: ${method}`;
      const [a, b] = [valueOf(own[i]!, what), valueOf(theirs[i]!, what)];
      assertSame(form(a, b), form(b, a), what);
    }
  }

  void test('callTracer', () =>
    compare({ tracer: 'callTracer', tracerConfig: { withLog: true } }, (value) => wholeFrame(value as Frame)));

  void test('prestateTracer', () =>
    compare({ tracer: 'prestateTracer' }, (value) => accountsBefore(value as Accounts)));

  void test('prestateTracer in diff mode', () =>
    compare({ tracer: 'prestateTracer', tracerConfig: { diffMode: true } }, (value) => {
      const { pre, post } = value as Record<'pre' | 'post', Accounts>;
      return { pre: accountsBefore(pre), post: withoutHashes(post) };
    }));

  void test('prestateTracer runs here rather than at the node, which has no code hashes', async () => {
    const config = { tracer: 'prestateTracer' };
    const call = sent.map(({ hash }) => ({ method: 'debug_traceTransaction', params: [hash, config] }));
    const accounts = (await queryAll(ours.url, call)).flatMap((answer, i) =>
      Object.values(valueOf(answer, sent[i]!.name) as Accounts),
    );
    const coded = accounts.filter(({ code }) => code !== undefined);
    assert.ok(coded.length >= sent.length / 2);
    assert.ok(coded.every(({ codeHash }) => codeHash !== undefined));
  });

  // anvil does not support it for calls.
  void test('4byteTracer', () => compare({ tracer: '4byteTracer' }, (value) => value, ONCE));

  void test('the struct logger', () =>
    compare({ enableReturnData: true }, (value, other) => stepsForm(value as Steps, other as Steps), ONCE));
});

/** A transaction in a block, and the equivalent call. */
interface Sent {
  readonly name: string;
  readonly hash: string;
  readonly call: object;
}

/**
 * Builds a chain with real contracts on anvil and waits until ours has followed it. One transaction per block: with
 * several, anvil sums up their gas and restarts log numbers at zero for each.
 */
async function live(anvil: Peer, ours: Server): Promise<Sent[]> {
  const provider = new JsonRpcProvider(anvil.url, CHAIN_ID, { staticNetwork: true });
  const [wallet] = WALLETS as [Wallet];
  const { creations, made } = contractsOf(wallet.address);
  const sent: Sent[] = [];
  for (const [nonce, { name, to, data, value, gasLimit }] of [...creations, ...usesOf(made)].entries()) {
    const fees = { maxFeePerGas: 100n * GWEI, maxPriorityFeePerGas: GWEI };
    const raw = await wallet.signTransaction({ type: 2, chainId: CHAIN_ID, nonce, to, data, value, gasLimit, ...fees });
    const hash = (await provider.send('eth_sendRawTransaction', [raw])) as string;
    const call = {
      from: wallet.address,
      ...(to === null ? {} : { to }),
      data,
      value: quantity(value),
      gas: quantity(gasLimit),
    };
    sent.push({ name, hash, call });
    await provider.send('evm_mine', []);
  }
  const last = await provider.getBlockNumber();
  provider.destroy();
  await until(async () => Number((await ours.query('eth_blockNumber')).result) === last, 'ours has followed');
  return sent;
}

function valueOf(answer: Answer, what: string): unknown {
  assert.ok(answer.kind === 'value', `${what}: ${JSON.stringify(answer)}`);
  return answer.value;
}

type Account = Readonly<Record<string, unknown>>;
type Accounts = Readonly<Record<string, Account>>;

interface Step {
  readonly pc: number;
  readonly op: string;
  readonly error?: string;
  readonly gas: number;
  readonly gasCost: number;
  readonly depth: number;
  readonly stack: readonly string[];
  readonly returnData?: string;
  readonly memory?: readonly string[];
  readonly refund?: number;
  readonly storage?: Readonly<Record<string, string>>;
}

interface Steps {
  readonly failed: boolean;
  readonly structLogs: readonly Step[];
}

const REVERTED = 'execution reverted';

/** `outer`: the enclosing frame, or `null`. */
function frameForm(frame: Frame, requested: Request, outer: Frame | null): unknown {
  const { type, from, to, input, output, value, error, gas, gasUsed, calls = [], logs = [] } = frame;
  // anvil reports neither the destroyed account nor the beneficiary.
  if (type === 'SELFDESTRUCT') return type;
  // Messages of halts are revm's; it keeps the logs of failed frames.
  const end = error === undefined ? [output, logs] : error === REVERTED ? [output, error] : ['halted'];
  // For the outermost frame, anvil reports the gas that its code gets; for each missing authority it also refunds gas.
  const used = requested.call.authorizationList === undefined ? gasUsed : null;
  const inner = calls.map((call) => frameForm(call, requested, frame));
  return [type, from, to, input, value, ...end, outer === null ? used : [gas, gasUsed], inner];
}

/** anvil has no code hashes and no empty accounts; with authorizations its refunds, and so its balances, differ. */
function diffForm({ pre, post }: Record<'pre' | 'post', Accounts>, call: Request): unknown {
  const isPaid = call.call.authorizationList === undefined;
  const shown = (accounts: Accounts): unknown =>
    Object.entries(accounts).flatMap(([address, { codeHash: _hash, ...account }]) => {
      const { balance, ...rest } = account;
      const kept = isPaid ? account : rest;
      const isEmpty = Object.keys(rest).length === 0 && (balance === undefined || balance === '0x0' || !isPaid);
      return isEmpty ? [] : [[address, kept]];
    });
  return { pre: shown(pre), post: shown(post) };
}

/** In anvil the outermost frame's gas is its code's. */
function wholeFrame({ gas: _gas, ...frame }: Frame): unknown {
  return frame;
}

/** anvil lists accounts that the transaction creates, with fields they do not have yet. */
function accountsBefore(accounts: Accounts): unknown {
  return withoutHashes(Object.fromEntries(Object.entries(accounts).filter(([, account]) => isThere(account))));
}

function isThere({ balance, nonce, code }: Account): boolean {
  return balance !== '0x0' || nonce !== undefined || code !== undefined;
}

/** anvil has no code hashes. */
function withoutHashes(accounts: Accounts): unknown {
  return Object.entries(accounts).map(([address, { codeHash: _hash, ...account }]) => [address, account]);
}

/** Of differing lists only the first difference is reported: printing the rest would take minutes. */
function assertSame(one: unknown, other: unknown, what: string): void {
  if (!Array.isArray(one) || !Array.isArray(other)) return assert.deepEqual(one, other, what);
  const at = one.findIndex((item, i) => !isDeepStrictEqual(item, other[i]));
  if (at >= 0) assert.deepEqual(one[at], other[at], `${what}, at ${at}`);
  assert.equal(one.length, other.length, what);
}

/**
 * anvil emits one step for a frame without code, and includes the gas passed to a creation in the step's cost; it
 * reports failing steps at other times, with other names and costs. It shows empty fields, and counts refunds per
 * frame.
 */
function stepsForm(own: Steps, other: Steps): unknown[] {
  const [steps, others] = [stepsOf(own), stepsOf(other)];
  const { structLogs: _steps, ...end } = own;
  const all = steps.map(
    ({ pc, op, gasCost, error, storage, returnData = '0x', memory = [], refund: _refund, ...rest }, at) => {
      const differs = error !== undefined || others[at]?.error !== undefined || op.startsWith('CREATE');
      const shown = differs ? {} : { op, gasCost, storage };
      return { pc, ...rest, ...shown, returnData, memory };
    },
  );
  return [end, ...all];
}

function stepsOf({ structLogs }: Steps): Step[] {
  return structLogs.filter(({ pc, op }) => pc !== 0 || op !== 'STOP');
}
