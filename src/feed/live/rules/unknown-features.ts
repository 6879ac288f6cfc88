// Unknown features of a chain, as node, headers and blocks show them, for reports and one log line.
import { LIMITS } from '../../../limits/index.js';
import type { UnknownFeature } from '../../live-status.js';

/** Characters that are removed from a name, because names come from outside. */
const NO_NAME = /[^\w .():-]/g;

/** The unknown features of one chain. None is forgotten, because only a newer version of this program can know more. */
export class UnknownFeatures {
  readonly #known = new Map<string, UnknownFeature>();
  #unreported: UnknownFeature[] = [];

  /** The features, up to LIMITS.unknownFeaturesMax. */
  get all(): readonly UnknownFeature[] {
    return [...this.#known.values()];
  }

  /** Adds features; known ones change nothing. With `wasReported`, another log line already names them. */
  note(features: readonly UnknownFeature[], wasReported: boolean): void {
    for (const { kind, name } of features) {
      const feature = { kind, name: name.replaceAll(NO_NAME, '').slice(0, LIMITS.unknownFeatureChars) };
      const key = describe(feature);
      if (this.#known.has(key) || this.#known.size >= LIMITS.unknownFeaturesMax) continue;
      this.#known.set(key, feature);
      if (!wasReported) this.#unreported.push(feature);
    }
  }

  /** A line about the features that were added since the last call; `null` if there are none. */
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
