// Prefetches the slots that the system calls of upcoming blocks will change. The keys of these slots depend on the
// block's number and time, so without prefetching each block would wait for a round trip to the node.
import type { ChainRules } from '../../../evm/reference/fork-rules.js';
import { LIMITS } from '../../../limits/index.js';
import type { BlockEnv } from '../../../state/state-diff.js';
import { mergedMissingKeys, type MissingKeys } from '../../../state/views/miss-recording-view.js';
import { UpstreamError } from '../../../upstream/upstream.js';
import { systemCallKeys } from './prefetch-keys.js';
import type { StateFetcher } from './state-fetcher.js';

/** Prefetches the slots of system calls. Only one read runs at a time. */
export class SystemSlotPrefetch {
  readonly #filler: Pick<StateFetcher, 'fetch' | 'hasAll'>;
  readonly #rules: ChainRules;
  #isReading = false;

  constructor(filler: Pick<StateFetcher, 'fetch' | 'hasAll'>, rules: ChainRules) {
    this.#filler = filler;
    this.#rules = rules;
  }

  /**
   * Called with the environment of the newest block. Reads the slots that system calls use at the next
   * LIMITS.systemSlotsAhead block numbers (EIP-2935) and timestamps in seconds (EIP-4788), whenever fewer than half of
   * these slots are in the table.
   */
  after(env: BlockEnv): void {
    if (this.#isReading || this.#filler.hasAll(this.#slotsOf(env, LIMITS.systemSlotsAhead / 2))) return;
    const ahead = Array.from({ length: LIMITS.systemSlotsAhead }, (_, i) => this.#slotsOf(env, i + 1));
    this.#isReading = true;
    void this.#read(mergedMissingKeys(ahead)).finally(() => (this.#isReading = false));
  }

  /** Reads the slots from the node. If this fails, they are read when a block needs them. */
  async #read(missing: MissingKeys): Promise<void> {
    try {
      await this.#filler.fetch({ accounts: [], slots: [] }, missing);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
    }
  }

  #slotsOf(env: BlockEnv, ahead: number): MissingKeys {
    const next = { ...env, number: env.number + ahead, timestamp: env.timestamp + BigInt(ahead) };
    return { accounts: [], slots: systemCallKeys(next, this.#rules).slots };
  }
}
