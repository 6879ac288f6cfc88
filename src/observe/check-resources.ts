// Reads the resources that the operating system grants, and checks whether they suffice: if a thread or a memory
// mapping cannot be created, the process dies without a message.
import { totalmem } from 'node:os';
import { rlimit } from '../lib/memory/rlimits.js';
import { LIMITS } from '../limits/index.js';

/** Resources that the process may use. */
export interface ProcessResources {
  readonly descriptors: number;
  readonly addressBytes: number;
  /** Memory of the container or the machine in bytes. */
  readonly memoryBytes: number;
}

const GIB = 2 ** 30;
const MIB = 2 ** 20;

/** Reads the current limits; Infinity where there is no limit. */
export function readResources(): ProcessResources {
  const memory = process.constrainedMemory();
  return {
    descriptors: rlimit('descriptors'),
    addressBytes: rlimit('addressBytes'),
    memoryBytes: memory > 0 ? memory : Infinity,
  };
}

/**
 * Returns one line that says which resource is too small for `workers` estimator threads; `null` if all are sufficient.
 */
export function resourceShortage(
  { descriptors, addressBytes, memoryBytes }: ProcessResources,
  workers: number,
): string | null {
  const needed = {
    descriptors: LIMITS.descriptorsBase + workers * LIMITS.descriptorsPerWorker,
    address: LIMITS.addressBytesBase + workers * LIMITS.addressBytesPerWorker,
    memory: LIMITS.memoryBytesBase + workers * LIMITS.memoryBytesPerWorker,
  };
  const forThreads = addressBytes * (1 - LIMITS.archiveAddressShare);
  if (descriptors < needed.descriptors) {
    return tooLittle(`${needed.descriptors} open files`, `${descriptors} (ulimit -n)`, workers);
  }
  if (forThreads < needed.address) {
    const needs = Math.ceil(needed.address / (1 - LIMITS.archiveAddressShare) / GIB);
    return tooLittle(`${needs} GiB of address space`, `${Math.floor(addressBytes / GIB)} GiB (ulimit -v)`, workers);
  }
  if (memoryBytes < needed.memory) {
    return tooLittle(`${needed.memory / MIB} MiB of memory`, `${Math.floor(memoryBytes / MIB)} MiB`, workers);
  }
  return null;
}

/** Returns the default size of the state table: a share of the container's or the machine's memory. */
export function defaultStateBytes({ memoryBytes }: ProcessResources): number {
  const bytes = Math.floor(Math.min(memoryBytes, totalmem()) * LIMITS.stateMemoryShare);
  return Math.min(Math.max(bytes, LIMITS.stateBytesMin), LIMITS.stateBytesMax);
}

/**
 * Returns the largest number of WebSockets that leaves enough file descriptors for everything else, including a restart
 * of the publisher.
 */
export function webSocketsMaxFor({ descriptors }: ProcessResources, workers: number): number {
  const own = LIMITS.descriptorsBase - LIMITS.descriptorsForConnections + workers * LIMITS.descriptorsPerWorker;
  return Math.min(LIMITS.socketsMax, descriptors - own);
}

function tooLittle(needs: string, allowed: string, workers: number): string {
  return `--workers ${workers} needs ${needs}, the system allows ${allowed}`;
}
