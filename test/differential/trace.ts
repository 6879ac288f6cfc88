// Frames inside a call, as reported by anvil's callTracer.
import { CONTRACTS } from './genesis.js';
import { INIT_CODES, PROGRAMS } from './programs.js';
import type { Request } from './requests.js';

const REVERTED = 'execution reverted';
/** Programs with a GAS that is not just a call's operand. */
const GAS_READERS = PROGRAMS.flatMap(({ name, code }, i) =>
  ['gas left', 'wants 50000', 'wants little', 'swallow, half'].includes(name) ? [{ code, address: CONTRACTS[i]! }] : [],
);

/** One call or creation, with nested ones. */
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

/** True if two runs differ: other calls, or calls that ended differently. */
export function differ(a: Frame | null, b: Frame | null): boolean {
  return a === null || b === null || JSON.stringify(shape(a)) !== JSON.stringify(shape(b));
}

/** True if some inner call halted exceptionally. */
export function haltsInside({ calls = [] }: Frame): boolean {
  return calls.some((frame) => (frame.error !== undefined && frame.error !== REVERTED) || haltsInside(frame));
}

/** True if code may have run that reads its gas: a program that does, or unknown code. */
export function readsGas(frame: Frame, { call, stateOverride }: Request): boolean {
  const brought = JSON.stringify([stateOverride, call.authorizationList]);
  return GAS_READERS.some(({ code, address }) => brought.includes(code) || brought.includes(address)) || reaches(frame);
}

function reaches({ type, to, input, calls = [] }: Frame): boolean {
  if (type.startsWith('CREATE')) return !INIT_CODES.some((code) => input.startsWith(code)) || calls.some(reaches);
  return GAS_READERS.some(({ address }) => address === to) || calls.some(reaches);
}

/** Everything except gas; what a call did before it halted is reverted, and where it halted depends on gas. */
function shape({ type, from, to, input, output, error, calls = [] }: Frame): unknown {
  const end = error === undefined || error === REVERTED ? [output, error, calls.map(shape)] : ['halted'];
  return [type, from, to, input, ...end];
}
