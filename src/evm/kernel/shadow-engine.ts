// Two engines on one state: the kernel is tried, its changes are taken back, and the reference answers. Runs on
// publisher and estimators.
import { LIMITS } from '../../limits.js';
import { toHex } from '../../lib/hex.js';
import { StateMiss, VersionNotKept } from '../../state/state-miss.js';
import { EMPTY_CODE_HASH, type AccountState } from '../../state/view.js';
import { sameBytes } from '../../lib/byte-map.js';
import type { Applied, Engine, Execution, ExecutionContext, Message, PrecompileMove } from '../engine.js';
import type { JournaledState } from '../journaled-state.js';
import type { KernelCounters } from './shared-counters.js';
import { messageCode } from './message-code.js';
import { NOTHING_READ, type ReadSet } from '../read-set.js';
import { isSame, plain, type KernelMismatch, type Observed } from './mismatch.js';

/** What a ShadowEngine is made of. Both engines execute on `state`. */
export interface ShadowEngineParts {
  readonly kernel: Engine;
  readonly reference: Engine;
  readonly state: JournaledState;
  readonly counters: KernelCounters;
  /** Called with the first mismatches of the process. */
  readonly report: (mismatch: KernelMismatch) => void;
}

/** The arguments of an execution. */
type Question = readonly [message: Message, context: ExecutionContext, gasLimit: bigint];

/** Answers as the reference does, and leaves its changes only. Must be used inside a change set of the caller's. */
export class ShadowEngine implements Engine {
  readonly #parts: ShadowEngineParts;

  constructor(parts: ShadowEngineParts) {
    this.#parts = parts;
  }

  /** See Engine. The answer is the reference's; the kernel's is compared with it. */
  async execute(...question: Question): Promise<Execution> {
    const { kernel, reference } = this.#parts;
    const tried = await this.#tried(async () =>
      observedExecution(await kernel.execute(...question), readsOf(kernel, question)),
    );
    const answer = await reference.execute(...question);
    this.#compare(question, tried, observedExecution(answer, readsOf(reference, question)));
    return answer;
  }

  /** See Engine. The answer and the changes are the reference's; the kernel's are compared with them. */
  async apply(...question: Question): Promise<Applied> {
    const { kernel, reference, state } = this.#parts;
    const { depth } = state;
    const tried = await this.#tried(async () =>
      observedApplied(await kernel.apply(...question), readsOf(kernel, question), state, depth),
    );
    state.mark();
    const answer = await reference.apply(...question);
    // An aborted execution leaves change sets of its own open, which the caller undoes.
    if (answer.status === 'aborted') return answer;
    const observed = observedApplied(answer, readsOf(reference, question), state, depth);
    state.keep();
    this.#compare(question, tried, observed);
    return answer;
  }

  /** See Engine: the kernel's. */
  get keptBytes(): number {
    return this.#parts.kernel.keptBytes ?? 0;
  }

  /** See Engine: the reference's. */
  readSet(): ReadSet {
    return this.#parts.reference.readSet();
  }

  /** See Engine. */
  isPrecompile(address: Uint8Array, moves: readonly PrecompileMove[]): boolean {
    return this.#parts.reference.isPrecompile(address, moves);
  }

  /** What is observed of the kernel's run, which is undone; `null` when the state was not known. */
  async #tried(run: () => Promise<Observed>): Promise<Observed | null> {
    const { state } = this.#parts;
    const { depth } = state;
    state.mark();
    try {
      return await run();
    } catch (error) {
      return error instanceof StateMiss || error instanceof VersionNotKept ? null : { thrown: String(error) };
    } finally {
      state.undoTo(depth);
    }
  }

  #compare(question: Question, tried: Observed | null, answer: Observed): void {
    const { counters, report } = this.#parts;
    if (tried === null || tried['status'] === 'aborted' || answer['status'] === 'aborted') {
      counters.add('skipped');
      return;
    }
    counters.add('checks');
    if (isSame(tried, answer) || counters.add('mismatches') > LIMITS.kernelMismatchReportsMax) return;
    report({ ...this.#described(question), kernel: tried, reference: answer });
  }

  #described([message, { env, blobBaseFee }, gasLimit]: Question): Pick<KernelMismatch, 'asked' | 'codeHash'> {
    const codeHash = messageCode(message, this.#parts.state);
    return {
      asked: plain({ message, env, blobBaseFee, gasLimit }),
      codeHash: codeHash === null ? null : toHex(codeHash),
    };
  }
}

function observedExecution(execution: Execution, reads: ReadSet): Observed {
  const { status, gasUsed, refund, need, gasSensitive, tree, returnData, error } = execution;
  return {
    status,
    gasUsed: String(gasUsed),
    refund: String(refund),
    // Both mean something after a success only.
    ...(status === 'success' ? { need: String(need), gasSensitive: String(gasSensitive) } : {}),
    tree: String(tree),
    returnData: toHex(returnData),
    error: error === null ? '' : `${error.text}${error.outOfGas ? ' (gas)' : ''}`,
    ...observedReads(reads),
  };
}

/** What the engine has read, where that is exact. */
function readsOf(engine: Engine, [{ isTraced }]: Question): ReadSet {
  return isTraced === true ? engine.readSet() : NOTHING_READ;
}

function observedReads({ accounts, slots }: ReadSet): Observed {
  return {
    readAccounts: accounts.map(toHex).toSorted().join(' '),
    readSlots: slots
      .map(({ address, slot }) => `${toHex(address)} ${toHex(slot)}`)
      .toSorted()
      .join('\n'),
  };
}

/** Observes also what has changed since there were `depth` change sets. */
function observedApplied(applied: Applied, reads: ReadSet, state: JournaledState, depth: number): Observed {
  const { logs, numbering, destroyed } = applied;
  return {
    ...observedExecution(applied, reads),
    logs: logs.map(({ address, topics, data }) => [address, ...topics, data].map(toHex).join(' ')).join('\n'),
    numbering: numbering === undefined ? '' : `${numbering.made}: ${numbering.places.join(' ')}`,
    destroyed: [...new Set(destroyed.map(toHex))].toSorted().join(' '),
    ...observedChanges(applied, state, depth),
  };
}

/** Accounts as they will be once those that are touched and empty are removed (EIP-161). */
function observedChanges({ touched }: Applied, state: JournaledState, depth: number): Observed {
  const { accounts, slots, erased } = state.changedSince(depth);
  const before = new Map(accounts.map((account) => [toHex(account.address), account.before]));
  const removable = new Set(touched.map(toHex));
  for (const address of touched) {
    if (!before.has(toHex(address))) before.set(toHex(address), state.accountOf(address));
  }
  const lines = [...before].flatMap(([address, was]) => {
    const is = state.accountOf(Buffer.from(address.slice(2), 'hex'));
    const now = is !== null && isEmpty(is) && removable.has(address) ? null : is;
    return textOf(now) === textOf(was) ? [] : [`${address} ${textOf(now)}`];
  });
  return {
    accounts: lines.toSorted().join('\n'),
    slots: slots
      .map((slot) => [slot.address, slot.key, slot.value].map(toHex).join(' '))
      .toSorted()
      .join('\n'),
    // An account that did not exist had no storage to be erased.
    erased: erased
      .map(toHex)
      .filter((address) => before.get(address) !== null)
      .toSorted()
      .join(' '),
  };
}

function isEmpty({ nonce, balance, codeHash }: AccountState): boolean {
  return nonce === 0n && balance === 0n && sameBytes(codeHash, EMPTY_CODE_HASH);
}

function textOf(state: AccountState | null): string {
  return state === null ? 'none' : `${state.nonce} ${state.balance} ${toHex(state.codeHash)}`;
}
