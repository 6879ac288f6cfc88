// Random worlds under Amsterdam's rules, some with so low an execution gas limit that state gas has a reservoir: with
// its estimate a call does on the reference what it does with all gas, and with one less it does not (EIP-8037). If the
// code behaves differently again with more gas than the estimate, any success is accepted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppliedMessage, Execution, ExecutionContext } from '../../../src/evm/evm-engine.js';
import { JournaledState } from '../../../src/evm/journal/journaled-state.js';
import { createChainRules, type ForkRules, type ChainRules } from '../../../src/evm/reference/fork-rules.js';
import { ReferenceEngine } from '../../../src/evm/reference/reference-engine.js';
import { JobRunner } from '../../../src/execution/call/job-runner.js';
import { transactionEnvOfCall } from '../../../src/execution/call/apply-call-as-transaction.js';
import { runTransactionMessage } from '../../../src/execution/block/transaction-message.js';
import { createCallTransaction, firstViolatedCallRule } from '../../../src/transaction/call-validation.js';
import type { CallRequest } from '../../../src/transaction/evm-job.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { chainAt, job } from '../../support/jobs.js';
import { shown } from './oracle.js';
import { MemoryView } from '../../support/memory-view.js';
import { candidateEngine } from '../../support/programs/engines.js';
import { createWorld, viewOf, type World } from '../../support/programs/world.js';
import { rounds } from '../../support/rounds.js';

const CHAIN = chainAt('amsterdam');
const GAS_CAP = 1_500_000n;
/** Execution gas limits: less than most worlds need, less than some need, and the fork's own. */
const EXECUTION_GAS = [60_000n, 200_000n, 16_777_216n] as const;
const SEEDS = rounds(50);

/** The fork's rules with another execution gas limit. */
function rulesWith(executionGasMax: bigint): ChainRules {
  const rules = createChainRules(CHAIN);
  const bound: ForkRules = { ...rules.at(1, 1), executionGasMax };
  return { chain: CHAIN, at: () => bound };
}

for (const executionGasMax of EXECUTION_GAS)
  void test(`estimates are minimal with an execution gas limit of ${executionGasMax}`, async () => {
    const rules = rulesWith(executionGasMax);
    const runner = new JobRunner({ rules, createEngine: candidateEngine });
    const reference = new ReferenceRunner(rules);
    const counts = { estimates: 0, beyond: 0, state: 0 };
    for (let seed = 1; seed <= SEEDS; seed++) {
      const world = createWorld(seed);
      if (world.fork !== 'amsterdam' || world.message.value > 10n) continue;
      const { view, call } = inputsOf(world);
      const outcome = await runner.runJob(job({}, { call, gasCap: GAS_CAP }), view, world.context.env);
      const atCap = await reference.run(call, GAS_CAP, view, world.context);
      assert.equal(outcome.kind === 'gas', atCap?.status === 'success', `seed ${seed}: ${outcome.kind}`);
      if (outcome.kind !== 'gas') continue;
      counts.estimates++;
      if (outcome.gas > executionGasMax) counts.beyond++;
      if (atCap!.stateGas > 0n) counts.state++;
      const atEstimate = await reference.run(call, outcome.gas, view, world.context);
      const isBound = isSame(await reference.run(call, GAS_CAP, view, world.context, GAS_CAP), atCap);
      const isRight = isBound ? isSame(atEstimate, atCap) : atEstimate?.status === 'success';
      assert.ok(isRight, `seed ${seed}: ${outcome.gas} does not do the same`);
      const below = await reference.run(call, outcome.gas - 1n, view, world.context);
      const isLess =
        isBound && below?.status === 'success' && below.tree === atCap!.tree && below.gasUsed === atEstimate!.gasUsed;
      assert.ok(!isLess, `seed ${seed}: ${outcome.gas - 1n} does the same`);
    }
    assert.ok(counts.estimates > SEEDS / 20 && counts.state > SEEDS / 60, JSON.stringify(counts));
    assert.ok(executionGasMax > GAS_CAP ? counts.beyond === 0 : counts.beyond > SEEDS / 80, JSON.stringify(counts));
  });

/** An execution, and the resulting state, logs and return data. */
type Ended = Execution & { readonly effects: string };

/** Runs a call at a gas limit on the reference engine. */
class ReferenceRunner {
  private readonly state = new JournaledState(new MemoryView());
  private readonly engine: ReferenceEngine;
  private readonly rules: ForkRules;

  constructor(rules: ChainRules) {
    this.rules = rules.at(1, 1);
    this.engine = new ReferenceEngine({ rules: this.rules, state: this.state });
  }

  /** `null`: the limit is below the intrinsic gas. `more`: gas in addition to that of the limit. */
  async run(
    call: CallRequest,
    limit: bigint,
    view: MemoryView,
    context: ExecutionContext,
    more = 0n,
  ): Promise<Ended | null> {
    const { state, engine } = this;
    state.reset(view, { slotsOf: (address) => view.slotsOf(address) });
    const tx = createCallTransaction(call, this.rules, { ...context, precompileMoves: [] });
    if (firstViolatedCallRule(tx, limit, state) !== null) return null;
    state.mark();
    const { run } = await runTransactionMessage<Ended | AppliedMessage>(transactionEnvOfCall(tx, limit), {
      rules: this.rules,
      chainId: CHAIN.chainId,
      state,
      execute: async (message, { left }) => {
        const applied = await engine.apply(message, tx.context, left + more);
        const { accounts, slots } = state.differences();
        const written = [...accounts, ...slots].map((each) => JSON.stringify(each, shown)).sort();
        return { ...applied, effects: JSON.stringify([written, applied.logs, applied.returnData], shown) };
      },
    });
    state.undoAll();
    return { effects: '', ...run };
  }
}

function inputsOf(world: World): { readonly view: MemoryView; readonly call: CallRequest } {
  const { caller, to, value, data, accessList } = world.message;
  const { call } = job({ from: toHex(caller), ...(to === null ? {} : { to: toHex(to) }), value, data, accessList });
  return { view: viewOf(world), call };
}

/** The same calls, or the same effect. */
function isSame(run: Ended | null, atCap: Ended | null): boolean {
  return run?.status === 'success' && (run.tree === atCap?.tree || run.effects === atCap?.effects);
}
