// The tracers by name.
import type { TracerSpec } from '../../transaction/trace-request.js';
import type { ResponseSize } from '../call/response-size.js';
import { CallTracer } from './call-tracer.js';
import { FlatCallTracer } from './flat-call-tracer.js';
import { FourByteTracer } from './four-byte-tracer.js';
import { MuxTracer } from './mux-tracer.js';
import { NoopTracer } from './noop-tracer.js';
import { ParityTracer } from './parity-tracer.js';
import { PrestateTracer } from './prestate-tracer.js';
import { StructLogger } from './struct-logger.js';
import type { Tracer } from './tracer.js';

/** Creates a tracer for one transaction. `room`: the remaining size of the whole response. */
export function tracerOf(spec: TracerSpec, room: ResponseSize): Tracer {
  switch (spec.name) {
    case 'callTracer':
      return new CallTracer(spec, room);
    case 'prestateTracer':
      return new PrestateTracer(spec, room);
    case '4byteTracer':
      return new FourByteTracer(room);
    case 'flatCallTracer':
      return new FlatCallTracer(spec, room);
    case 'parityTracer':
      return new ParityTracer(room);
    case 'noopTracer':
      return new NoopTracer(room);
    case 'muxTracer':
      return new MuxTracer(new Map(spec.tracers.map((one) => [one.name, tracerOf(one, room)])), room);
    case 'structLogger':
      return new StructLogger(spec, room);
  }
}
