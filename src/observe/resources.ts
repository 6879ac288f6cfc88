// Resources that the system allows, and whether they suffice: a thread or a mapping that cannot be created kills the
// process without a message.
import { totalmem } from 'node:os';
import { rlimit } from '../lib/memory/rlimits.js';
import { LIMITS } from '../limits/index.js';

/** Resources of the process. */
export interface Resources {
  readonly descriptors: number;
  readonly addressBytes: number;
  /** Memory of the container. */
  readonly memoryBytes: number;
}

const GIB = 2 ** 30;
const MIB = 2 ** 20;

/** Current limits; Infinity for what is not bounded. */
export function readResources(): Resources {
  const memory = process.constrainedMemory();
  return {
    descriptors: rlimit('descriptors'),
    addressBytes: rlimit('addressBytes'),
    memoryBytes: memory > 0 ? memory : Infinity,
  };
}

/** One line about what is too little for that many estimators; `null` if there is enough. */
export function shortage({ descriptors, addressBytes, memoryBytes }: Resources, workers: number): string | null {
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

/** Memory that a table takes by default: a share of the container's or the machine's. */
export function stateBytesFor({ memoryBytes }: Resources): number {
  const bytes = Math.floor(Math.min(memoryBytes, totalmem()) * LIMITS.stateMemoryShare);
  return Math.min(Math.max(bytes, LIMITS.stateBytesMin), LIMITS.stateBytesMax);
}

/** WebSockets that leave descriptors for everything else, including a publisher that is restarted. */
export function socketsFor({ descriptors }: Resources, workers: number): number {
  const own = LIMITS.descriptorsBase - LIMITS.descriptorsForConnections + workers * LIMITS.descriptorsPerWorker;
  return Math.min(LIMITS.socketsMax, descriptors - own);
}

function tooLittle(needs: string, allowed: string, workers: number): string {
  return `--workers ${workers} needs ${needs}, the system allows ${allowed}`;
}
