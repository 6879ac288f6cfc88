// Gas of CREATE and CREATE2 from Amsterdam on, without the state gas for the new account (EIP-8037, EIP-8038).
import { memoryAccessEnd, type FailedFrame } from '../geth-vm-error-text.js';

/** Static gas of CREATE and CREATE2 (EIP-8038). */
const CREATE_ACCESS_GAS = 12_000n;
/** Gas per word of init code: the charge of EIP-3860; next, CREATE2's charge for hashing. */
const INITCODE_WORD_GAS = 2n;
const HASHED_WORD_GAS = 6n;
const CREATE2 = 0xf5;

/** Returns the gas of a creation. `memoryBytes` is the length of memory before the instruction. */
export function gasOfCreateOpcode(frame: Pick<FailedFrame, 'opCode' | 'item'>, memoryBytes: number): bigint {
  const words = (frame.item(2) + 31n) / 32n;
  const wordGas = frame.opCode === CREATE2 ? INITCODE_WORD_GAS + HASHED_WORD_GAS : INITCODE_WORD_GAS;
  return (
    CREATE_ACCESS_GAS + words * wordGas + growthGas(BigInt(memoryBytes) / 32n, (memoryAccessEnd(frame) + 31n) / 32n)
  );
}

/** Returns the gas for extending memory; both lengths are in words. */
function growthGas(from: bigint, to: bigint): bigint {
  return to > from ? memoryGas(to) - memoryGas(from) : 0n;
}

function memoryGas(words: bigint): bigint {
  return 3n * words + (words * words) / 512n;
}
