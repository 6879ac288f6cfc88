// noopTracer: hears everything and tells nothing, to see what listening costs. Runs on the estimators.
import { Tracer } from './tracer.js';

/** See TracerSpec. */
export class NoopTracer extends Tracer {
  text(): string {
    return '{}';
  }
}
