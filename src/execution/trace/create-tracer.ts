// Creates a tracer by its name.
import type { TracerSpec } from '../../transaction/trace-request-types.js';
import type { ResponseSizeBudget } from '../call/response-size-budget.js';
import { CallTracer } from './call-tracer.js';
import { FlatCallTracer } from './flat-call-tracer.js';
import { FourByteTracer } from './four-byte-tracer.js';
import { MuxTracer } from './mux-tracer.js';
import { ParityTracer } from './parity-frame-tracer.js';
import { PrestateTracer } from './prestate-tracer.js';
import { StructLogger } from './struct-logger.js';
import { Tracer } from './tracer.js';

/** Creates a tracer for one transaction. `budget` is the remaining size of the whole response. */
export function createTracer(spec: TracerSpec, budget: ResponseSizeBudget): Tracer {
  switch (spec.name) {
    case 'callTracer':
      return new CallTracer(spec, budget);
    case 'prestateTracer':
      return new PrestateTracer(spec, budget);
    case '4byteTracer':
      return new FourByteTracer(budget);
    case 'flatCallTracer':
      return new FlatCallTracer(spec, budget);
    case 'parityTracer':
      return new ParityTracer(budget);
    case 'noopTracer':
      return new NoopTracer(budget);
    case 'muxTracer':
      return new MuxTracer(new Map(spec.tracers.map((one) => [one.name, createTracer(one, budget)])), budget);
    case 'structLogger':
      return new StructLogger(spec, budget);
  }
}

/** Receives every event and shows nothing, which measures what the hooks cost. */
class NoopTracer extends Tracer {
  text(): string {
    return '{}';
  }
}
