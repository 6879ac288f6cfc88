// MODEXP (EIP-198), with the gas prices of EIP-2565, EIP-7823 and EIP-7883.
import type { Common } from '@ethereumjs/common';
import { EVMError, type PrecompileFunc } from '@ethereumjs/evm';
import type { NonBlsFunctions } from '../../native/precompiles/function-types.js';
import { MODEXP_HEAD_BYTES, readModexpLengths, type ModexpLengths } from './modexp-input.js';
import { precompileFailed, precompileSucceeded } from './make-precompile-result.js';

const { OUT_OF_GAS } = EVMError.errorMessages;
/** Greatest length of an operand in bytes: the limit of EIP-7823; before it, that of @ethereumjs. */
const BYTES_MAX = 1024;
const EARLIER_BYTES_MAX = 2 ** 31 - 1;

/**
 * Creates MODEXP. Its input has the lengths of base, exponent and modulus (32 bytes each), then these three numbers.
 * Missing bytes count as zero.
 */
export function createModexp(functions: NonBlsFunctions): PrecompileFunc {
  return ({ data, gasLimit, common }) => {
    const lengths = readModexpLengths(data);
    const gas = modexpGas(lengths, common);
    if (gasLimit < gas) return precompileFailed(OUT_OF_GAS, gasLimit);
    const { base, exponent, modulus } = lengths;
    const isBounded = common.isActivatedEIP(7823);
    if (!isBounded && base === 0 && modulus === 0) return precompileSucceeded(new Uint8Array(0), gas);
    if (Math.max(base, exponent, modulus) > (isBounded ? BYTES_MAX : EARLIER_BYTES_MAX))
      return precompileFailed(OUT_OF_GAS, gasLimit);
    return precompileSucceeded(power(functions, data, lengths), gas);
  };
}

function power(functions: NonBlsFunctions, data: Uint8Array, { base, exponent, modulus }: ModexpLengths): Uint8Array {
  const output = new Uint8Array(modulus);
  const [exponentAt, modulusAt] = [MODEXP_HEAD_BYTES + base, MODEXP_HEAD_BYTES + base + exponent];
  functions.modexp(
    part(data, MODEXP_HEAD_BYTES, base),
    part(data, exponentAt, exponent),
    part(data, modulusAt, modulus),
    output,
  );
  return output;
}

/** Returns the gas of a call. Exact below 2^53; no call can have more gas than that. */
export function modexpGas(lengths: ModexpLengths, common: Common): bigint {
  const bytes = Math.max(lengths.base, lengths.modulus);
  const words = Math.ceil(bytes / 8);
  if (common.isActivatedEIP(7883)) return gasOf(iterations(lengths, 16) * (bytes > 32 ? 2 * words * words : 16), 500);
  const divisor = Number(common.param('modexpGquaddivisorGas'));
  if (common.isActivatedEIP(2565)) return gasOf((iterations(lengths, 8) * words * words) / divisor, 200);
  return gasOf((iterations(lengths, 8) * complexity(bytes)) / divisor, 0);
}

function gasOf(gas: number, least: number): bigint {
  return BigInt(Math.max(Math.floor(gas), least));
}

/** Returns EIP-2565's iteration count. Each byte of the exponent after the first 32 adds `perByte`. */
function iterations({ exponent, headBits }: ModexpLengths, perByte: number): number {
  return Math.max(perByte * Math.max(0, exponent - 32) + Math.max(0, headBits - 1), 1);
}

/** Complexity function of EIP-198. */
function complexity(bytes: number): number {
  if (bytes <= 64) return bytes * bytes;
  if (bytes <= 1024) return Math.floor((bytes * bytes) / 4) + 96 * bytes - 3072;
  return Math.floor((bytes * bytes) / 16) + 480 * bytes - 199_680;
}

/** Returns a range of the input; if the input ends before the range does, a copy that is padded with zeros. */
function part(data: Uint8Array, start: number, bytes: number): Uint8Array {
  if (start + bytes <= data.length) return data.subarray(start, start + bytes);
  const padded = new Uint8Array(bytes);
  padded.set(data.subarray(start, start + bytes));
  return padded;
}
