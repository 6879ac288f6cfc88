// Known failures of official tests, and why. Runs on the main thread of the command.

/** The text of a failure, and why the test fails. */
interface Deviation {
  readonly failure: RegExp;
  readonly reason: string;
}

const DEVIATIONS: readonly Deviation[] = [
  { failure: /is accepted: .*(Ethash|PoW|Seal|MixHash|Nonce\b)/, reason: 'the proof of work itself is not checked' },
  { failure: /beyond all blocks|number is too large/, reason: 'block numbers have 53 bits' },
];

/** Why a test may fail this way; `null`: it may not. */
export function deviationOf(failure: string): string | null {
  return DEVIATIONS.find((known) => known.failure.test(failure))?.reason ?? null;
}
