// How fast are traces of calls by tracer and kind, each with a different sender, recipient and amount?
import { executions, missingCall, single } from './calls.js';
import type { Exchange, Run, Scenario } from './scenario.js';

const CONNECTIONS = 64;
const DIFF_MODE = { diffMode: true };
/** Tracers by name, and the kinds of calls that are traced. A diff of a swap would contain the block's time. */
const TRACERS: Readonly<Record<string, { readonly params: object; readonly kinds: readonly string[] }>> = {
  callTracer: { params: { tracer: 'callTracer' }, kinds: ['ERC-20 transfer', 'V2 router swap', 'compute', '50 slots'] },
  prestateTracer: { params: { tracer: 'prestateTracer' }, kinds: ['V2 router swap', '50 slots'] },
  diff: { params: { tracer: 'prestateTracer', tracerConfig: DIFF_MODE }, kinds: ['ERC-20 transfer', '50 slots'] },
};
/** Tracer and kind of call. */
const PARTS = Object.entries(TRACERS).flatMap(([tracer, { kinds }]) => kinds.map((kind) => `${tracer}, ${kind}`));

const loaded = PARTS.map((part): Run => ({ name: part, part, load: { kind: 'closed', connections: CONNECTIONS } }));
const alone: Run = { name: `${PARTS[0]}, one connection`, part: PARTS[0]!, load: { kind: 'closed', connections: 1 } };

function split(part: string): readonly [tracer: string, kind: string] {
  return part.split(', ') as [string, string];
}

/** Only the form is checked: nodes differ in the gas of a call without a limit, and in empty accounts. */
function faultOf({ params, result }: Exchange): string | null {
  const text = JSON.stringify(result);
  const isDiff = JSON.stringify(params[2]).includes('diffMode');
  const isForm = isDiff ? /"pre":\{"0x/.test(text) && /"post":\{"0x/.test(text) : /"gasUsed":"0x|^\{"0x/.test(text);
  return isForm ? null : `${text.slice(0, 80)} is no trace of a call`;
}

export const scenario: Scenario = {
  name: 'traces',
  question: 'How fast are traces of calls by tracer and kind, each a different one?',
  stage: 'still',
  runs: [...loaded, alone],
  unavailable: (world, part) => missingCall(world, split(part)[1]),
  requests: (world, random, part) => {
    const [tracer, kind] = split(part);
    const next = executions(world, random, kind, 'debug_traceCall', TRACERS[tracer]!.params);
    return () => single(next());
  },
  fault: (_, exchange) => faultOf(exchange),
};
