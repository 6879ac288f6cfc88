// Runs the same world on two engines and compares what they do.
import type {
  AppliedMessage,
  EvmEngine,
  Execution,
  ExecutionContext,
  EvmMessage,
} from '../../../src/evm/evm-engine.js';
import type { ForkRules } from '../../../src/evm/reference/fork-rules.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { JournaledState } from '../../../src/evm/journal/journaled-state.js';
import type { StateChanges } from '../../../src/state/state-diff.js';
import { ResponseSizeBudget } from '../../../src/execution/call/response-size-budget.js';
import type { Tracer } from '../../../src/execution/trace/tracer.js';
import { createTracer } from '../../../src/execution/trace/create-tracer.js';
import type { TracerSpec } from '../../../src/transaction/trace-request-types.js';
import { sameBytes } from '../../../src/lib/bytes/byte-map.js';
import { collectGarbage } from '../../../src/lib/memory/garbage-collection.js';
import { LIMITS } from '../../../src/limits/index.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { EMPTY_CODE_HASH } from '../../../src/state/views/state-view.js';
import { chainAt } from '../jobs.js';
import { nonEvmChainAt, withTokens } from './non-evm-accounts.js';
import { MemoryView } from '../memory-view.js';
import type { Fork } from './opcodes.js';
import { createWorld, viewOf, type World } from './world.js';
import type { Seed } from './random.js';

/** Creates an engine that executes on `state`. */
export type MakeEngine = (rules: ForkRules, state: JournaledState) => EvmEngine;

/** Everything observable about an execution, as strings. */
export type Observed = Readonly<Record<string, string>>;

/** A difference between two engines. */
export interface Mismatch {
  /** The run that differed: the message itself, or one at another gas limit. */
  readonly run: string;
  readonly gasLimit: bigint;
  readonly first: Observed;
  readonly second: Observed;
}

/** Result of comparing one world. */
export interface Comparison {
  readonly mismatch: Mismatch | null;
  /** Status of the message at its own gas limit, on the first engine. */
  readonly status: Execution['status'] | 'thrown';
  readonly gasSensitive: boolean;
  /** The minimum gas limit and one less were tried. */
  readonly minimumTried: boolean;
}

/** One engine with its state, for one fork. */
interface Side {
  readonly engine: EvmEngine;
  readonly state: JournaledState;
  readonly rules: ForkRules;
}

type Pair = readonly [first: Side, second: Side];

/** Two kinds of engine, with one engine of each kind per fork; the first one is the reference. */
export class EnginePair {
  private readonly sides = new Map<Fork, Pair>();
  private readonly makers: readonly [MakeEngine, MakeEngine];
  /** Time limit of one world in milliseconds: with a bug, an engine may never stop. */
  readonly worldMsMax: number;
  /** Some accounts of the worlds are non-EVM accounts. */
  readonly hasNonEvm: boolean;

  constructor(first: MakeEngine, second: MakeEngine, worldMsMax = Infinity, hasNonEvm = false) {
    this.makers = [first, second];
    this.worldMsMax = worldMsMax;
    this.hasNonEvm = hasNonEvm;
  }

  /** The engines for a fork, with their states. */
  at(fork: Fork): Pair {
    if (this.sides.get(fork)?.some(({ engine }) => isFull(engine)) === true) this.drop(fork);
    let pair = this.sides.get(fork);
    if (pair === undefined) {
      const rules = createChainRules(this.hasNonEvm ? nonEvmChainAt(fork) : chainAt(fork)).at(1, 1);
      const [first, second] = this.makers.map((make) => side(make, rules));
      this.sides.set(fork, (pair = [first!, second!]));
    }
    return pair;
  }

  /** A kernel keeps everything it has compiled: 20,000 worlds would use up the process's memory mappings. */
  private drop(fork: Fork): void {
    this.sides.delete(fork);
    collectGarbage();
  }
}

/** The program replaces its engines at the same limit (execution/fork-engines.ts). */
function isFull({ keptBytes = 0 }: EvmEngine): boolean {
  return keptBytes > LIMITS.engineBytesKeptMax;
}

function side(make: MakeEngine, rules: ForkRules): Side {
  const state = new JournaledState(new MemoryView());
  return { engine: make(rules, state), state, rules };
}

/** Compares the world of `seed` on both engines. */
export function compareEngines(seed: Seed, pair: EnginePair): Promise<Comparison> {
  return compareOn(worldOf(seed, pair), pair);
}

/** The world of a seed, with non-EVM accounts if the pair's chains have them. */
export function worldOf(seed: Seed, { hasNonEvm }: EnginePair): World {
  return hasNonEvm ? withTokens(createWorld(seed)) : createWorld(seed);
}

/**
 * Runs the world on both engines: the message is applied, and then a second one to the resulting state; then it is
 * executed without effect at its minimum gas limit, at one less, and at a limit that is too low.
 */
export async function compareOn(world: World, pair: EnginePair): Promise<Comparison> {
  const { message, context, fork } = world;
  const view = viewOf(world);
  const sides = pair.at(fork);
  const deadline = performance.now() + pair.worldMsMax;
  const isTraced = BigInt(world.seed) % 2n === 0n;
  const given = { ...message, logsTransfers: isTraced, isTraced: isTraced, upfront: upfrontOf(world) };
  const run = new Run(view, given, { ...context, deadline }, sides, tracersOf(world));
  const main = await run.apply(world.gasLimit);
  const summary = { ...summaryOf(main.expected), minimumTried: false };
  if (main.mismatch !== null) return { ...summary, mismatch: main.mismatch };
  const { expected } = main;
  if (expected === null || expected.status === 'aborted') return { ...summary, mismatch: null };
  if (expected.status === 'foreign')
    return { ...summary, mismatch: (await run.execute('again', world.gasLimit)).mismatch };
  const nextGas = world.gasLimit < NEXT_GAS_MAX ? world.gasLimit : NEXT_GAS_MAX;
  const next = await run.applyNext(nextMessage(world, given, run.changed), nextGas);
  if (next.mismatch !== null) return { ...summary, mismatch: next.mismatch };
  const used = expected.status === 'success' ? expected.need : expected.gasUsed;
  const tight = (used * (BigInt(world.seed) % 97n)) / 97n;
  const atTight = await run.execute('tight gas', tight);
  if (atTight.mismatch !== null) return { ...summary, mismatch: atTight.mismatch };
  if (fork === 'amsterdam') return { ...summary, ...(await atMinimumStateGas(run, world)) };
  if (expected.status !== 'success' || expected.need === 0n) return { ...summary, mismatch: null };
  const { mismatch } = await atMinimumGas(run, expected);
  return { ...summary, minimumTried: true, mismatch };
}

/**
 * What the engine deducts from the sender before the message: in a third of the worlds a share of its balance;
 * otherwise nothing, as already paid.
 */
function upfrontOf({ seed, accounts, message }: World): bigint | undefined {
  if (BigInt(seed) % 3n !== 0n) return undefined;
  const sender = accounts.find(({ address }) => sameBytes(address, message.caller));
  return ((sender?.balance ?? 0n) * (BigInt(seed) % 5n)) / 8n;
}

/**
 * The same message, already paid for; or one at another gas price to another account, preferably to one that the first
 * message created.
 */
function nextMessage({ accounts, seed }: World, given: EvmMessage, changed: readonly Uint8Array[]): EvmMessage {
  const message = { ...given, upfront: undefined };
  if (BigInt(seed) % 2n === 0n) return message;
  const before = new Set(accounts.map(({ address }) => toHex(address)));
  const made = changed.filter((address) => !before.has(toHex(address)));
  const others = made.length > 0 ? made : accounts.map(({ address }) => address);
  if (others.length === 0) return message;
  return { ...message, to: others[Number(BigInt(seed) % BigInt(others.length))]!, gasPrice: 3n, accessList: [] };
}

/**
 * At its minimum gas limit the message succeeds as before; at one less it does not, unless code may have read its gas.
 */
async function atMinimumGas(run: Run, expected: Execution): Promise<{ mismatch: Mismatch | null }> {
  const enough = await run.execute('at need', expected.need);
  if (enough.mismatch !== null) return enough;
  const less = await run.execute('one less than need', expected.need - 1n);
  if (less.mismatch !== null || expected.gasSensitive) return less;
  if (!endsAlike(enough.expected, expected)) return wrongMinimum('need is not enough', expected, enough);
  return endsAlike(less.expected, expected) ? wrongMinimum('one less than need is enough', expected, less) : less;
}

/**
 * The same without a reservoir, at the minimum according to the engine under test (EIP-8037): the reference does not
 * track state gas.
 */
async function atMinimumStateGas(
  run: Run,
  { gasLimit, message: { reservoir = 0n } }: World,
): Promise<{ mismatch: Mismatch | null; minimumTried: boolean }> {
  const { mismatch, measured } = await run.execute('without a reservoir', gasLimit + reservoir, 0n);
  if (mismatch !== null || measured?.status !== 'success' || measured.need === 0n)
    return { mismatch, minimumTried: false };
  return { ...(await tryMinimumStateGas(run, measured)), minimumTried: true };
}

async function tryMinimumStateGas(run: Run, measured: Execution): Promise<{ mismatch: Mismatch | null }> {
  const enough = await run.execute('at need, without a reservoir', measured.need, 0n);
  if (enough.mismatch !== null) return enough;
  const less = await run.execute('one less than need, without a reservoir', measured.need - 1n, 0n);
  if (less.mismatch !== null || measured.gasSensitive) return less;
  if (!endsAlike(enough.expected, measured)) return wrongMinimum('need is not enough', measured, enough);
  return endsAlike(less.expected, measured) ? wrongMinimum('one less than need is enough', measured, less) : less;
}

/** A callee that consumes a fixed share of its gas gets less at a lower limit, so the gas used differs. */
function endsAlike(run: Execution | null, expected: Execution): boolean {
  if (run?.status !== 'success' || run.tree !== expected.tree) return false;
  return run.gasUsed === expected.gasUsed && run.refund === expected.refund;
}

function wrongMinimum(run: string, expected: Execution, step: Step): { mismatch: Mismatch } {
  const second = step.expected === null ? {} : text(step.expected);
  return { mismatch: { run, gasLimit: expected.need, first: text(expected), second } };
}

function summaryOf(expected: Execution | null): Pick<Comparison, 'status' | 'gasSensitive'> {
  return { status: expected?.status ?? 'thrown', gasSensitive: expected?.gasSensitive ?? false };
}

interface Step {
  readonly mismatch: Mismatch | null;
  /** Executions on the reference and on the engine under test; null if they threw. */
  readonly expected: Execution | null;
  readonly measured: Execution | null;
}

type Answer = [Execution | null, Observed];
type Execute = (side: Side) => Promise<[Execution, Observed]>;

/** Code that was not written for an unlimited amount of gas may otherwise run forever. */
const NEXT_GAS_MAX = 5_000_000n;

/** One message, executed on two engines at several gas limits. */
class Run {
  /** Accounts that the applied message changed. */
  changed: readonly Uint8Array[] = [];
  private readonly view: MemoryView;
  private readonly message: EvmMessage;
  private readonly context: ExecutionContext;
  private readonly sides: Pair;
  private readonly tracers: TracerSpec | null;

  /** `tracers` are attached when the message is applied. */
  constructor(
    view: MemoryView,
    message: EvmMessage,
    context: ExecutionContext,
    sides: Pair,
    tracers: TracerSpec | null = null,
  ) {
    this.view = view;
    this.message = message;
    this.context = context;
    this.sides = sides;
    this.tracers = tracers;
  }

  /** Executes without effect. */
  execute(run: string, gasLimit: bigint, reservoir = this.message.reservoir): Promise<Step> {
    const message = { ...this.message, ...(reservoir === undefined ? {} : { reservoir }) };
    return this.both(run, gasLimit, async ({ engine, state }) => {
      state.mark();
      const result = await engine.execute(message, this.context, gasLimit);
      state.undoAll();
      return [result, { ...text(result), ...reads(engine, message, result) }];
    });
  }

  /** Executes and applies all changes. */
  apply(gasLimit: bigint): Promise<Step> {
    return this.both('apply', gasLimit, async (one) => {
      const { engine, state } = one;
      const tracer = this.tracer(one, gasLimit);
      const message = tracer === null ? this.message : { ...this.message, hooks: tracer };
      const result = await applyMessage(engine, state, message, this.context, gasLimit);
      if (stoppedAtNonEvmAccount(result, state)) return [result, text(result)];
      const trace = tracer === null || result.status === 'aborted' ? {} : traceText(tracer, result);
      const changes = state.changes();
      this.changed = changes.accounts.map(({ address }) => address);
      const read = reads(engine, this.message, result);
      return [result, { ...text(result), ...effects(result), ...read, ...trace, ...changesText(changes) }];
    });
  }

  /** Applies a message to the state that `apply` left, as the next transaction of the block. */
  applyNext(message: EvmMessage, gasLimit: bigint): Promise<Step> {
    const execute: Execute = async ({ engine, state }) => {
      raiseNonce(state, message.caller);
      const result = await applyMessage(engine, state, message, this.context, gasLimit);
      if (stoppedAtNonEvmAccount(result, state)) return [result, text(result)];
      return [
        result,
        { ...text(result), ...effects(result), ...reads(engine, message, result), ...changesText(state.changes()) },
      ];
    };
    return this.both('apply next', gasLimit, execute, false);
  }

  /** The tracers of one side, started at the beginning of the message. */
  private tracer({ engine, state, rules }: Side, gasLimit: bigint): Tracer | null {
    const { caller: from, to, upfront } = this.message;
    // A tracer starts before the sender's nonce is incremented, and the address of a creation depends on the nonce.
    if (this.tracers === null || (to === null && upfront === undefined)) return null;
    const tracer = createTracer(this.tracers, new ResponseSizeBudget());
    tracer.begin({
      from,
      to,
      gasLimit,
      authorizations: [],
      coinbase: this.context.env.coinbase,
      state,
      rules,
      isPrecompile: (address) => engine.isPrecompile(address, []),
      logsBefore: 0,
      included: null,
    });
    return tracer;
  }

  private async both(run: string, gasLimit: bigint, execute: Execute, withFreshState = true): Promise<Step> {
    const answers: Answer[] = [];
    for (const part of this.sides) {
      if (withFreshState) part.state.reset(this.view, { slotsOf: (address) => this.view.slotsOf(address) });
      answers.push(await execute(part).catch((error: unknown) => [null, { thrown: String(error) }]));
    }
    const [[expected, first], [measured, second]] = answers as [Answer, Answer];
    const isTracked = this.message.reservoir === undefined;
    return { expected, measured, mismatch: isSame(first, second, isTracked) ? null : { run, gasLimit, first, second } };
  }
}

/** In some worlds the applied message is traced; ether transfers are not logs then. */
function tracersOf({ seed }: World): TracerSpec | null {
  const number = BigInt(seed);
  return number % 4n === 1n ? { name: 'muxTracer', tracers: tracersAt(number % 8n === 1n) } : null;
}

function tracersAt(diffMode: boolean): TracerSpec[] {
  const flags = { disableCode: false, disableStorage: false, includeEmpty: true };
  return [
    { name: 'callTracer', onlyTopCall: false, withLog: true },
    { name: 'prestateTracer', diffMode, ...flags },
    { name: '4byteTracer' },
    { name: 'flatCallTracer', convertParityErrors: false, includePrecompiles: diffMode },
  ];
}

/** What the tracers report, as text. */
function traceText(tracer: Tracer, { gasUsed }: Execution): Record<string, string> {
  tracer.end(gasUsed);
  return { trace: tracer.text() };
}

/** Applies the message and finishes its transaction. */
export async function applyMessage(
  engine: EvmEngine,
  state: JournaledState,
  message: EvmMessage,
  context: ExecutionContext,
  gasLimit: bigint,
): Promise<AppliedMessage> {
  state.mark();
  const applied = await engine.apply(message, context, gasLimit);
  for (const address of applied.destroyed) state.removeAccount(address);
  for (const address of applied.touched) if (isEmpty(state, address)) state.removeAccount(address);
  state.keep();
  return applied;
}

/** The part of a transaction that happens outside of the engine, before its message. */
function raiseNonce(state: JournaledState, address: Uint8Array): void {
  const account = state.accountOf(address) ?? { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH };
  state.mark();
  state.setAccount(address, { ...account, nonce: account.nonce + 1n });
  state.keep();
}

function isEmpty(state: JournaledState, address: Uint8Array): boolean {
  const account = state.accountOf(address);
  return account?.nonce === 0n && account.balance === 0n && toHex(account.codeHash) === toHex(EMPTY_CODE_HASH);
}

/** True if the execution stopped at a non-EVM account; the checkpoints that it left open are reverted. */
function stoppedAtNonEvmAccount({ status }: Execution, state: JournaledState): boolean {
  if (status === 'foreign') state.undoAll();
  return status === 'foreign';
}

/** Names of the observations that differ. */
export function differences(first: Observed, second: Observed): string[] {
  return [...new Set([...Object.keys(first), ...Object.keys(second)])].filter((name) => first[name] !== second[name]);
}

/** `isTracked`: the minimum gas limits must be equal, too. */
function isSame(first: Observed, second: Observed, isTracked: boolean): boolean {
  return differences(first, second).every((name) => !isTracked && NEEDS.has(name));
}

const NEEDS = new Set(['need', 'gasSensitive']);

/** An execution as text. */
export function text(result: Execution): Record<string, string> {
  const { status, need, gasSensitive, hasHalts, tree, error, nonEvmAddress } = result;
  if (nonEvmAddress !== undefined) return { status, foreign: toHex(nonEvmAddress) };
  return {
    status,
    gasUsed: String(result.gasUsed),
    stateGas: String(result.stateGas),
    isEntryUnpaid: String(result.isEntryUnpaid === true),
    refund: String(result.refund),
    // Both are only defined after a success.
    ...(status === 'success' ? { gasSensitive: String(gasSensitive), need: String(need) } : {}),
    tree: String(tree),
    returnData: toHex(result.returnData),
    hasHalts: String(hasHalts),
    error: error === null ? '' : `${error.text}${error.outOfGas ? ' (gas)' : ''}`,
  };
}

/** The state keys that the instructions accessed, as text, if they are exact. */
function reads(engine: EvmEngine, { isTraced }: EvmMessage, { status }: Execution): Record<string, string> {
  if (isTraced !== true || status === 'foreign') return {};
  const { accounts, slots } = engine.readSet();
  const names = slots.map(({ address, slot }) => `${toHex(address)} ${toHex(slot)}`);
  return { readAccounts: accounts.map(toHex).toSorted().join(' '), readSlots: names.toSorted().join('\n') };
}

/** Effects of an applied message other than its state changes, as text. */
export function effects({ logs, numbering, destroyed }: AppliedMessage): Record<string, string> {
  return {
    numbering: numbering === undefined ? '' : `${numbering.made}: ${numbering.places.join(' ')}`,
    logs: logs.map(({ address, topics, data }) => [address, ...topics, data].map(toHex).join(' ')).join('\n'),
    destroyed: [...new Set(destroyed.map(toHex))].toSorted().join(' '),
  };
}

/** State changes as text, in a canonical order. */
export function changesText({ accounts, slots, codes }: StateChanges): Record<string, string> {
  return {
    accounts: accounts.map(accountText).toSorted().join('\n'),
    slots: slots
      .map((slot) => [slot.address, slot.slot, slot.value].map(toHex).join(' '))
      .toSorted()
      .join('\n'),
    codes: codes
      .map(({ hash, bytes }) => `${toHex(hash)} ${toHex(bytes)}`)
      .toSorted()
      .join('\n'),
  };
}

function accountText({ address, account }: StateChanges['accounts'][number]): string {
  return `${toHex(address)} ${account === null ? 'none' : `${account.nonce} ${account.balance} ${toHex(account.codeHash)}`}`;
}
