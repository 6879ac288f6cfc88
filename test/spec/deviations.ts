// Failures of official tests that are known, and why. Runs on the main thread of the command.

/** Text of a failure, and why the test fails. */
interface Deviation {
  readonly failure: RegExp;
  readonly reason: string;
}

const DEVIATIONS: readonly Deviation[] = [
  { failure: /is accepted: .*(Ethash|PoW|Seal|MixHash|Nonce\b)/, reason: 'the proof of work itself is not checked' },
  { failure: /beyond all blocks|number is too large/, reason: 'block numbers have 53 bits' },
];

/** Reason for which a test may fail in this way; `null`: it may not. */
export function deviationOf(failure: string): string | null {
  return DEVIATIONS.find((known) => known.failure.test(failure))?.reason ?? null;
}
