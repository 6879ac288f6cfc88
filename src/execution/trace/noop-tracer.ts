// noopTracer: receives every event and reports nothing, to measure the cost of the hooks.
import { Tracer } from './tracer.js';

/** See `TracerSpec`. */
export class NoopTracer extends Tracer {
  text(): string {
    return '{}';
  }
}
