// muxTracer: runs several tracers at once, and returns their results by tracer name.
import type { StartedFrame, EndedFrame, TraceHooks, TracedStep } from '../../evm/trace-hooks.js';
import type { Log } from '../../state/complete-block.js';
import { Tracer, type TracedTransaction } from './tracer.js';
import type { ResponseSizeBudget } from '../call/response-size-budget.js';

export class MuxTracer extends Tracer {
  readonly #tracers: ReadonlyMap<string, Tracer>;
  override readonly stepped: TraceHooks['stepped'];
  override readonly seesLogs: boolean;
  override readonly seesState: boolean;
  override readonly seesChanges: boolean;

  constructor(tracers: ReadonlyMap<string, Tracer>, budget: ResponseSizeBudget) {
    super(budget);
    this.#tracers = tracers;
    this.seesLogs = [...tracers.values()].some(({ seesLogs }) => seesLogs);
    this.seesState = [...tracers.values()].some(({ seesState }) => seesState);
    this.seesChanges = [...tracers.values()].some(({ seesChanges }) => seesChanges);
    const listening = [...tracers.values()].filter((tracer) => tracer.stepped !== undefined);
    const forwardStep = (step: TracedStep): void => {
      for (const tracer of listening) tracer.stepped!(step);
    };
    this.stepped = listening.length === 0 ? undefined : forwardStep;
  }

  override begin(transaction: TracedTransaction): void {
    this.#forward((tracer) => tracer.begin(transaction));
  }

  override restarted(): void {
    this.#forward((tracer) => tracer.restarted());
  }

  override entered(frame: StartedFrame): void {
    this.#forward((tracer) => tracer.entered(frame));
  }

  override left(frame: EndedFrame): void {
    this.#forward((tracer) => tracer.left(frame));
  }

  override logged(log: Log): void {
    this.#forward((tracer) => tracer.logged(log));
  }

  override named(address: Uint8Array): void {
    this.#forward((tracer) => tracer.named(address));
  }

  override called(address: Uint8Array): void {
    this.#forward((tracer) => tracer.called(address));
  }

  override namedSlot(address: Uint8Array, slot: Uint8Array, before: Uint8Array, after: Uint8Array | null): void {
    this.#forward((tracer) => tracer.namedSlot(address, slot, before, after));
  }

  override creates(address: Uint8Array): void {
    this.#forward((tracer) => tracer.creates(address));
  }

  override destroys(address: Uint8Array): void {
    this.#forward((tracer) => tracer.destroys(address));
  }

  override end(gasUsed: bigint): void {
    this.#forward((tracer) => tracer.end(gasUsed));
  }

  text(): string {
    const texts = [...this.#tracers].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `{${texts.map(([name, tracer]) => `${JSON.stringify(name)}:${tracer.text()}`).join(',')}}`;
  }

  #forward(send: (tracer: Tracer) => void): void {
    for (const tracer of this.#tracers.values()) send(tracer);
  }
}
