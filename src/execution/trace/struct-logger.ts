// Struct logger: logs every instruction of a transaction.
import { opcodeName } from '../../evm/geth-vm-error-text.js';
import type { EndedFrame, TracedStep } from '../../evm/trace-hooks.js';
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import { toBytes, EMPTY_BYTES, toWord } from '../../lib/bytes/big-endian.js';
import type { TracerSpec } from '../../transaction/trace-request-types.js';
import type { ResponseSizeBudget } from '../call/response-size-budget.js';
import { Tracer, type TracedTransaction } from './tracer.js';

type Spec = Extract<TracerSpec, { name: 'structLogger' }>;

const SLOAD = 0x54;
const SSTORE = 0x55;
const REVERTED = 'execution reverted';
/** Number of characters in the response for one 32-byte word of memory in a logged step, including its quotes. */
const MEMORY_WORD_CHARACTERS = 68;

export class StructLogger extends Tracer {
  override readonly stepped = (step: TracedStep): void => this.#log(step);
  readonly #spec: Spec;
  readonly #steps: string[] = [];
  /** Number of characters in the response for all logged steps so far. */
  #characters = 0;
  /** Slots that were read or written so far, with their current values, by account. */
  readonly #storage = new Map<string, Map<string, string>>();
  #transaction: TracedTransaction | null = null;
  #depth = 0;
  #end: { readonly hasFailed: boolean; readonly output: string } = { hasFailed: false, output: '0x' };
  #gasUsed = 0n;

  constructor(spec: Spec, budget: ResponseSizeBudget) {
    super(budget);
    this.#spec = spec;
  }

  override begin(transaction: TracedTransaction): void {
    this.#transaction = transaction;
  }

  override entered(): void {
    this.#depth++;
  }

  override left({ output, error }: EndedFrame): void {
    if (--this.#depth > 0) return;
    const isShown = error === null || error === REVERTED;
    if (isShown) this.take(2 * output.length);
    this.#end = { hasFailed: error !== null, output: isShown ? toHex(output) : '0x' };
  }

  override end(gasUsed: bigint): void {
    this.#gasUsed = gasUsed;
  }

  text(): string {
    const { hasFailed, output } = this.#end;
    const steps = this.#steps.join(',');
    return `{"gas":${this.#gasUsed},"failed":${hasFailed},"returnValue":"${output}","structLogs":[${steps}]}`;
  }

  #log(step: TracedStep): void {
    const { limit } = this.#spec;
    if (limit > 0 && this.#characters > limit) return;
    const memory = this.#spec.enableMemory ? step.memory() : EMPTY_BYTES;
    const counted = (memory.length / 32) * MEMORY_WORD_CHARACTERS;
    this.take(counted);
    const text = JSON.stringify(this.#shown(step, memory));
    this.take(text.length + 1 - counted);
    this.#characters += text.length;
    this.#steps.push(text);
  }

  /** Returns the JSON of a step. Members are in go-ethereum's order; undefined ones are left out. */
  #shown(step: TracedStep, memory: Uint8Array): object {
    const { pc, code, gas, cost, depth, error, stack, returnData, refund } = step;
    const { disableStack, enableReturnData } = this.#spec;
    return {
      pc,
      op: opcodeName(code),
      gas: Number(gas),
      gasCost: Number(cost),
      depth,
      error: error ?? undefined,
      stack: disableStack ? undefined : stack.map(toQuantity),
      returnData: enableReturnData && returnData.length > 0 ? toHex(returnData) : undefined,
      memory: this.#words(memory),
      storage: this.#spec.disableStorage ? undefined : this.#slots(step),
      refund: refund === 0n ? undefined : Number(refund),
    };
  }

  #words(memory: Uint8Array): string[] | undefined {
    if (memory.length === 0) return undefined;
    const digits = toHex(memory);
    return Array.from({ length: memory.length / 32 }, (_, at) => `0x${digits.slice(2 + 64 * at, 66 + 64 * at)}`);
  }

  /** If this step is an SLOAD or SSTORE, returns the slots of its account that were accessed so far. */
  #slots({ code, stack, self }: TracedStep): Readonly<Record<string, string>> | undefined {
    const isRead = code === SLOAD;
    if ((!isRead && code !== SSTORE) || stack.length < (isRead ? 1 : 2)) return undefined;
    const key = toHex(self);
    let slots = this.#storage.get(key);
    if (slots === undefined) this.#storage.set(key, (slots = new Map<string, string>()));
    const slot = toBytes(stack.at(-1)!, 32);
    const value = isRead ? toWord(this.#transaction!.state.storageOf(self, slot)) : toBytes(stack.at(-2)!, 32);
    slots.set(toHex(slot), toHex(value));
    return Object.fromEntries([...slots].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}
