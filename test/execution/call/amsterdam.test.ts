// Requests that a real node answered after Amsterdam, with its responses and the minimum gas of each call: the `least`
// estimate equals the minimum, and the default estimate is the same on kernel and reference. The node's data are
// shared.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { engineFactory, type KernelMode } from '../../../src/evm/kernel/kernel-or-reference-engine.js';
import { KernelCounters } from '../../../src/evm/kernel/kernel-counters-and-code-denylist.js';
import { createChainRules, type ChainRules } from '../../../src/evm/reference/fork-rules.js';
import { JobRunner, type EstimateCriterion } from '../../../src/execution/call/job-runner.js';
import { parseGenesis } from '../../../src/execution/block/genesis.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import type { BlockEnv } from '../../../src/state/state-diff.js';
import type { Job, JobOutcome } from '../../../src/transaction/evm-job.js';
import { linesOf, planOf, type RecordedBlock } from '../../feed/diffs/recorded-chain.js';
import { WholeState, type Alloc } from '../../feed/diffs/whole-state.js';
import { haltClass } from '../../support/halt-class.js';
import { job, type CallText } from '../../support/jobs.js';
import { sharedData, withoutData } from '../../support/shared-data.js';
import { withoutFees } from '../../support/without-fees.js';

const FOLDER = 'geth-amsterdam';
const skip = withoutData(FOLDER);
/** Blocks at which the requests were made. */
const HEADS = [14, 55] as const;
/** The node's `--rpc.gascap`, and its default tip. */
const NODE = { gasCap: 200_000_000n, tip: 1_000_000_000n };
const KINDS: Readonly<Record<string, Job['kind']>> = {
  eth_call: 'call',
  eth_estimateGas: 'estimate',
  eth_createAccessList: 'accessList',
};

interface Question {
  readonly at: number;
  readonly method: string;
  readonly params: readonly [CallJson, ...unknown[]];
  readonly result?: unknown;
  readonly error?: { readonly message: string; readonly data?: string };
  /** Smallest gas limit with which the call succeeds in any way. */
  readonly least?: number;
}

interface CallJson {
  readonly from?: string;
  readonly to?: string;
  readonly gas?: string;
  readonly maxFeePerGas?: string;
  readonly value?: string;
  readonly data?: string;
  readonly accessList?: readonly { readonly address: string; readonly storageKeys: readonly string[] }[];
  readonly authorizationList?: readonly Readonly<
    Record<'chainId' | 'address' | 'nonce' | 'yParity' | 'r' | 's', string>
  >[];
}

void test('calls, access lists and minimum estimates are those of the node', { skip }, async () => {
  for (const { question, outcome } of await answers('on', 'least'))
    assert.equal(withoutFees(shown(outcome)), withoutFees(wanted(question)), textOf(question));
});

void test('estimates are the same on kernel and reference, and never below the minimum', { skip }, async () => {
  const [kernel, reference] = [await answers('on', 'same'), await answers('off', 'same')];
  // The reference does not track the minimum: it finds a lower limit where inner frames end differently without any
  // effect.
  let lower = 0;
  for (const [i, { question, outcome }] of kernel.entries()) {
    const other = shown(reference[i]!.outcome);
    if (shown(outcome) === other) continue;
    assert.equal(other, `${question.least}`, textOf(question));
    lower++;
  }
  assert.ok(lower <= 4, `${lower} are lower by the reference`);
  const estimates = kernel.filter(({ question, outcome }) => question.least !== undefined && outcome.kind === 'gas');
  assert.ok(estimates.length > 70, `${estimates.length} estimates`);
  for (const { question, outcome } of estimates)
    assert.ok(outcome.kind === 'gas' && outcome.gas >= BigInt(question.least!), textOf(question));
});

async function answers(
  mode: KernelMode,
  estimateMode: EstimateCriterion,
): Promise<{ question: Question; outcome: JobOutcome }[]> {
  const rules = rulesOfChain();
  const createEngine = engineFactory({ mode, counters: new KernelCounters().buffer });
  const runner = new JobRunner({ rules, estimateMode, createEngine });
  const all: { question: Question; outcome: JobOutcome }[] = [];
  for (const head of HEADS) {
    const { view, env } = stateAfter(head);
    for (const question of questionsAt(head))
      all.push({ question, outcome: await runner.runJob(jobOf(question), view, env) });
  }
  return all;
}

function rulesOfChain(): ChainRules {
  return createChainRules(
    parseGenesis('genesis.json', readFileSync(sharedData(`${FOLDER}/genesis.json`), 'utf8')).chain,
  );
}

function stateAfter(number: number): { readonly view: WholeState; readonly env: BlockEnv } {
  const states = linesOf(sharedData(`${FOLDER}/state.jsonl.gz`)) as { block: number; accounts: Alloc }[];
  const recorded = (linesOf(sharedData(`${FOLDER}/blocks.jsonl.gz`)) as RecordedBlock[])[number - 1]!;
  const env = { ...planOf(recorded).env, slotNumber: BigInt(recorded.block['slotNumber']!) };
  return { view: WholeState.of(states.find(({ block }) => block === number)!.accounts), env };
}

/** Requests without overrides. One of them contains a fee that the method fills in earlier. */
function questionsAt(head: number): Question[] {
  const all = linesOf(sharedData(`${FOLDER}/questions.jsonl.gz`)) as Question[];
  return all.filter(({ at, method, params }) => {
    const isFilledIn = method === 'eth_createAccessList' && params[0].maxFeePerGas !== undefined;
    return at === head && method in KINDS && params.length === 2 && !isFilledIn;
  });
}

function jobOf({ method, params: [call] }: Question): Job {
  const { accessList: list, authorizationList: authorizations, gas, maxFeePerGas, value, ...rest } = call;
  const text: CallText = {
    ...rest,
    ...(gas === undefined ? {} : { gas: BigInt(gas) }),
    ...(maxFeePerGas === undefined ? {} : { maxFeePerGas: BigInt(maxFeePerGas) }),
    ...(value === undefined ? {} : { value: BigInt(value) }),
    ...(list === undefined
      ? {}
      : {
          accessList: list.map(({ address, storageKeys }) => ({
            address: fromHex(address),
            slots: storageKeys.map(fromHex),
          })),
        }),
    ...(authorizations === undefined
      ? {}
      : {
          authorizationList: authorizations.map(({ chainId, address, nonce, yParity, r, s }) => ({
            chainId: BigInt(chainId),
            address: fromHex(address),
            nonce: BigInt(nonce),
            yParity: BigInt(yParity),
            r: BigInt(r),
            s: BigInt(s),
          })),
        }),
  };
  return job(text, { kind: KINDS[method]!, ...NODE });
}

function wanted({ method, result, error, least }: Question): string {
  if (error !== undefined) return error.data === undefined ? haltClass(error.message) : `reverted ${error.data}`;
  if (method === 'eth_estimateGas') return `${least ?? BigInt(result as string)}`;
  return haltClass(typeof result === 'string' ? result : JSON.stringify(result));
}

function shown(outcome: JobOutcome): string {
  switch (outcome.kind) {
    case 'gas':
      return `${outcome.gas}`;
    case 'return':
      return toHex(outcome.data);
    case 'revert':
      return `reverted ${toHex(outcome.data)}`;
    case 'failure':
      return outcome.message;
    case 'json':
      return String(outcome.text);
    default:
      return outcome.kind;
  }
}

function textOf({ at, method, params }: Question): string {
  return `${method} at ${at}: ${JSON.stringify(params).slice(0, 300)}`;
}
