// noopTracer: receives every event and reports nothing, which measures the cost of the hooks.
import { Tracer } from './tracer.js';

export class NoopTracer extends Tracer {
  text(): string {
    return '{}';
  }
}
