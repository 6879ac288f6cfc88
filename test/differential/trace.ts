// Frames inside of a call, as anvil's callTracer tells them.
import { CONTRACTS } from './genesis.js';
import { INIT_CODES, PROGRAMS } from './programs.js';
import type { Request } from './requests.js';

const REVERTED = 'execution reverted';
/** Programs with a GAS that is not a call's operand. */
const GAS_READERS = PROGRAMS.flatMap(({ name, code }, i) =>
  ['gas left', 'wants 50000', 'wants little', 'swallow, half'].includes(name) ? [{ code, address: CONTRACTS[i]! }] : [],
);

/** One call or creation and those that it made. */
export interface Frame {
  readonly type: string;
  readonly from: string;
  readonly to?: string;
  readonly input: string;
  readonly output?: string;
  readonly value?: string;
  readonly error?: string;
  readonly revertReason?: string;
  readonly gas: string;
  readonly gasUsed: string;
  readonly calls?: readonly Frame[];
  readonly logs?: readonly unknown[];
}

/** True when the two runs are not the same: other calls, or calls that ended in another way. */
export function differ(a: Frame | null, b: Frame | null): boolean {
  return a === null || b === null || JSON.stringify(shape(a)) !== JSON.stringify(shape(b));
}

/** True when some call inside ended exceptionally. */
export function haltsInside({ calls = [] }: Frame): boolean {
  return calls.some((frame) => (frame.error !== undefined && frame.error !== REVERTED) || haltsInside(frame));
}

/** True when code may have run that looks at its gas: a program that does, or code of which nobody knows. */
export function readsGas(frame: Frame, { call, stateOverride }: Request): boolean {
  const brought = JSON.stringify([stateOverride, call.authorizationList]);
  return GAS_READERS.some(({ code, address }) => brought.includes(code) || brought.includes(address)) || reaches(frame);
}

function reaches({ type, to, input, calls = [] }: Frame): boolean {
  if (type.startsWith('CREATE')) return !INIT_CODES.some((code) => input.startsWith(code)) || calls.some(reaches);
  return GAS_READERS.some(({ address }) => address === to) || calls.some(reaches);
}

/** Everything but gas; what a call did before it halted is undone, and where it halted is a matter of gas. */
function shape({ type, from, to, input, output, error, calls = [] }: Frame): unknown {
  const end = error === undefined || error === REVERTED ? [output, error, calls.map(shape)] : ['halted'];
  return [type, from, to, input, ...end];
}
