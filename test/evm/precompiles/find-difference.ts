// Searches for inputs on which two sets of precompiles differ.
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import type { PrecompileImplementations } from '../../../src/evm/precompiles/precompile-implementations.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { chainAt } from '../../support/jobs.js';
import { precompileRunner, type PrecompileAnswer, type RunPrecompile } from '../../support/precompile-runner.js';
import { Random } from '../../support/programs/random.js';
import { hostileInput } from './hostile-inputs.js';

/** An input with different results. */
export interface Difference {
  readonly fork: string;
  readonly number: number;
  /** Index of the differing candidate. */
  readonly candidate: number;
  readonly input: string;
  readonly gasLimit: bigint;
  readonly expected: PrecompileAnswer;
  readonly answer: PrecompileAnswer;
}

/** Result of a search. */
export interface SearchResult {
  /** Inputs with output, and those that failed or had none. */
  readonly accepted: number;
  readonly refused: number;
  /** The first difference. */
  readonly difference: Difference | null;
}

const PLENTY = 10n ** 8n;

/** Tries `cases` inputs of one precompile, each with ample gas, with just enough, and with one less. */
export async function findDifference(
  reference: PrecompileImplementations,
  candidates: readonly PrecompileImplementations[],
  [fork, number]: readonly [fork: string, number: number],
  cases: number,
  seed: number,
): Promise<SearchResult> {
  const rules = createChainRules(chainAt(fork)).at(1, 1);
  const runners = [reference, ...candidates].map((set) => precompileRunner(rules, set));
  const random = new Random(seed * 1000 + number);
  const counts = { accepted: 0, refused: 0 };
  for (let i = 0; i < cases; i++) {
    const input = hostileInput(random, number);
    const [{ gas, output, error }, difference] = await compare(runners, { fork, number }, input, PLENTY);
    counts[error === null && output !== '0x' ? 'accepted' : 'refused']++;
    if (difference !== null) return { ...counts, difference };
    const enough = error === null ? gas : PLENTY;
    for (const gasLimit of [enough, enough - 1n]) {
      if (error !== null || gasLimit < 0n) continue;
      const [, later] = await compare(runners, { fork, number }, input, gasLimit);
      if (later !== null) return { ...counts, difference: later };
    }
  }
  return { ...counts, difference: null };
}

async function compare(
  [reference, ...candidates]: readonly RunPrecompile[],
  { fork, number }: Pick<Difference, 'fork' | 'number'>,
  input: Uint8Array,
  gasLimit: bigint,
): Promise<readonly [PrecompileAnswer, Difference | null]> {
  const expected = await reference!(number, input, gasLimit);
  for (const [candidate, run] of candidates.entries()) {
    const answer = await run(number, input, gasLimit);
    const isSame = expected.gas === answer.gas && expected.output === answer.output && expected.error === answer.error;
    if (!isSame) return [expected, { fork, number, candidate, input: toHex(input), gasLimit, expected, answer }];
  }
  return [expected, null];
}
