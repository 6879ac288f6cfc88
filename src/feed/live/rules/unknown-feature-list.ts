// Collects features of a chain that we do not know, for status reports and the log. They are found in the node's
// reports and in blocks.
import { LIMITS } from '../../../limits/index.js';
import type { UnknownFeature } from '../../live-status.js';

/** Characters that are removed from names, because names come from the node and are not trusted. */
const NO_NAME = /[^\w .():-]/g;

/** The unknown features of one chain. They are never removed, because only a newer program version can know them. */
export class UnknownFeatures {
  readonly #known = new Map<string, UnknownFeature>();
  #unreported: UnknownFeature[] = [];

  /** All features, up to LIMITS.unknownFeaturesMax. */
  get all(): readonly UnknownFeature[] {
    return [...this.#known.values()];
  }

  /** Adds features that are not in the collection yet. With `wasReported`, another log line already names them. */
  note(features: readonly UnknownFeature[], wasReported: boolean): void {
    for (const { kind, name } of features) {
      const feature = { kind, name: name.replaceAll(NO_NAME, '').slice(0, LIMITS.unknownFeatureChars) };
      const key = describe(feature);
      if (this.#known.has(key) || this.#known.size >= LIMITS.unknownFeaturesMax) continue;
      this.#known.set(key, feature);
      if (!wasReported) this.#unreported.push(feature);
    }
  }

  /** Returns a log line about the features added since the last call; `null` if there are none. */
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
