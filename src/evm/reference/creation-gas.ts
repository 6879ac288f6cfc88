// Gas of CREATE and CREATE2 from Amsterdam on, without their account's state gas (EIP-8037, EIP-8038).
import { memoryAccessEnd, type FailedFrame } from '../halt-reason.js';

/** EIP-8038: constant gas of creations. */
const CREATE_ACCESS_GAS = 12_000n;
/** EIP-3860, and what CREATE2 pays for hashing its init code. */
const INITCODE_WORD_GAS = 2n;
const HASHED_WORD_GAS = 6n;
const CREATE2 = 0xf5;

/** `memoryBytes` is the length of memory before it grows. */
export function createOpcodeGas(frame: Pick<FailedFrame, 'opCode' | 'item'>, memoryBytes: number): bigint {
  const words = (frame.item(2) + 31n) / 32n;
  const wordGas = frame.opCode === CREATE2 ? INITCODE_WORD_GAS + HASHED_WORD_GAS : INITCODE_WORD_GAS;
  return (
    CREATE_ACCESS_GAS + words * wordGas + growthGas(BigInt(memoryBytes) / 32n, (memoryAccessEnd(frame) + 31n) / 32n)
  );
}

/** Gas for memory that grows by words. */
function growthGas(from: bigint, to: bigint): bigint {
  return to > from ? memoryGas(to) - memoryGas(from) : 0n;
}

function memoryGas(words: bigint): bigint {
  return 3n * words + (words * words) / 512n;
}
