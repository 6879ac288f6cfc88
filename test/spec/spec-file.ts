// Runs all tests of one file, each on the kernel and on the reference.
import { readFileSync } from 'node:fs';
import { engineFactory, type KernelMode } from '../../src/evm/kernel/kernel-or-reference-engine.js';
import { KernelCounters } from '../../src/evm/kernel/kernel-counters-and-code-denylist.js';
import type { TransactionExecutorDeps } from '../../src/execution/block/transaction-executor.js';
import { BlockchainTests } from './blockchain-test.js';
import {
  failed,
  isBlockchainTest,
  isStateTest,
  skipped,
  type Result,
  type StateTest,
  type Verdict,
} from './fixture.js';
import { StateTests } from './state-test.js';

const MODES = ['on', 'off'] as const satisfies readonly KernelMode[];
const NAMES: Readonly<Record<(typeof MODES)[number], string>> = { on: 'kernel', off: 'reference' };

/** Runs files, one after another. */
export class SpecFiles {
  readonly #stateTests = MODES.map((mode) => new StateTests(partsOf(mode)));
  readonly #blockchainTests = MODES.map((mode) => new BlockchainTests(partsOf(mode)));

  /** Results of every test in the file; empty for a file without tests. */
  async run(file: string): Promise<Result[]> {
    const results: Result[] = [];
    for (const [name, test] of Object.entries(JSON.parse(readFileSync(file, 'utf8')) as object)) {
      if (typeof test !== 'object' || test === null) continue;
      if (isStateTest(test)) results.push(...(await this.#stateTest(name, test)));
      else if (isBlockchainTest(test)) {
        const verdict = await onAll(this.#blockchainTests, (tests) => tests.run(test));
        results.push({ name, fork: test.network, verdict });
      } else if ('engineNewPayloads' in test) {
        const { network } = test as { readonly network?: string };
        results.push({ name, fork: network ?? '', verdict: skipped('payloads of the Engine API') });
      }
    }
    return results;
  }

  async #stateTest(name: string, test: StateTest): Promise<Result[]> {
    const results: Result[] = [];
    for (const [fork, posts] of Object.entries(test.post)) {
      for (const [index, post] of posts.entries()) {
        const verdict = await onAll(this.#stateTests, (tests) => tests.run(test, fork, post));
        results.push({ name: posts.length === 1 ? name : `${name}[${index}]`, fork, verdict });
      }
    }
    return results;
  }
}

function partsOf(mode: KernelMode): TransactionExecutorDeps {
  return { createEngine: engineFactory({ mode, counters: new KernelCounters().buffer }) };
}

/** The first verdict other than `passed`, prefixed by its engine's name; an exception is a failure. */
async function onAll<T>(all: readonly T[], run: (tests: T) => Promise<Verdict>): Promise<Verdict> {
  const verdicts: Verdict[] = [];
  for (const tests of all) {
    verdicts.push(await run(tests).catch((error: unknown) => failed(`it throws ${String(error)}`)));
  }
  const at = verdicts.findIndex(({ status }) => status !== 'passed');
  const verdict = verdicts[Math.max(at, 0)]!;
  const isSame = verdicts.every((other) => JSON.stringify(other) === JSON.stringify(verdict));
  if (verdict.status !== 'failed' || isSame) return verdict;
  return failed(`${NAMES[MODES[at]!]} alone: ${verdict.reason}`);
}
