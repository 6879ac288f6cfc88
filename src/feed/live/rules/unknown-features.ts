// Features of a chain that are unknown here, as its node, headers and blocks show them: collected for whoever reads
// them, and logged once.
import { LIMITS } from '../../../limits/index.js';
import type { UnknownFeature } from '../../status.js';

/** Characters that are removed from a name, because it comes from outside. */
const NO_NAME = /[^\w .():-]/g;

/** One per program: nothing is forgotten, as only a newer version knows more. */
export class UnknownFeatures {
  readonly #known = new Map<string, UnknownFeature>();
  #unreported: UnknownFeature[] = [];

  /** All of them, the first LIMITS.unknownFeaturesMax of them. */
  get all(): readonly UnknownFeature[] {
    return [...this.#known.values()];
  }

  /** One that has been noted before changes nothing. `wasReported`: another log line names them. */
  note(features: readonly UnknownFeature[], wasReported: boolean): void {
    for (const { kind, name } of features) {
      const feature = { kind, name: name.replaceAll(NO_NAME, '').slice(0, LIMITS.unknownFeatureChars) };
      const key = describe(feature);
      if (this.#known.has(key) || this.#known.size >= LIMITS.unknownFeaturesMax) continue;
      this.#known.set(key, feature);
      if (!wasReported) this.#unreported.push(feature);
    }
  }

  /** A line on those that were noted since the last call; `null`: there are none. */
  nextNotice(): string | null {
    if (this.#unreported.length === 0) return null;
    const reported = this.#unreported;
    this.#unreported = [];
    return `not known here: ${reported.map(describe).join(', ')}`;
  }
}

function describe({ kind, name }: UnknownFeature): string {
  return `${kind} ${name}`;
}
