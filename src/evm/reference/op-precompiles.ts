// Precompiles that OP-Stack forks change: an earlier, cheaper P256VERIFY, and limits for the length of inputs.
import type { Common } from '@ethereumjs/common';
import { EVMError, getActivePrecompiles, type CustomPrecompile, type PrecompileFunc } from '@ethereumjs/evm';
import { precompileFailed, type PrecompileFailure } from '../precompiles/make-precompile-result.js';
import { referenceP256Verify } from './p256-verify.js';
import type { OpFork, OpRules } from '../../chain/op/forks.js';

/** Longest input that a precompile accepts, by the fork that sets the limit. The latest active fork counts. */
const INPUT_BYTES_MAX: readonly (readonly [fork: OpFork, address: number, bytes: number])[] = [
  ['granite', 0x08, 112_687],
  ['isthmus', 0x0c, 513_760],
  ['isthmus', 0x0e, 488_448],
  ['isthmus', 0x0f, 235_008],
  ['jovian', 0x08, 81_984],
  ['jovian', 0x0c, 288_960],
  ['jovian', 0x0e, 278_784],
  ['jovian', 0x0f, 156_672],
  // As many bytes as 300 pairs have.
  ['karst', 0x08, 57_600],
];
const P256_VERIFY = 0x100;
const PAIRING = 0x08;
/** op-geth's message for a too long pairing input. @ethereumjs has no such message. */
const PAIRING_TOO_LONG = 'bad elliptic curve pairing input size' as PrecompileFailure;

/**
 * Returns precompiles that replace the Ethereum fork's, or are added to them. A too long input fails and consumes all
 * gas.
 */
export function opPrecompiles(rules: OpRules, common: Common): CustomPrecompile[] {
  const own = getActivePrecompiles(common);
  const limits = new Map(
    INPUT_BYTES_MAX.filter(([fork]) => rules.has(fork)).map(([, address, bytes]) => [address, bytes]),
  );
  const limited = [...limits].map(([address, bytes]) => {
    const error = address === PAIRING ? PAIRING_TOO_LONG : EVMError.errorMessages.INVALID_INPUT_LENGTH;
    return custom(address, bounded(own.get(hex(address))!, bytes, error));
  });
  // From Osaka on, P256VERIFY is Ethereum's own, at a higher price (EIP-7951).
  const early = rules.has('fjord') && !common.isActivatedEIP(7951);
  return early ? [...limited, custom(P256_VERIFY, referenceP256Verify)] : limited;
}

function bounded(precompile: PrecompileFunc, bytesMax: number, error: PrecompileFailure): PrecompileFunc {
  return (input) => (input.data.length <= bytesMax ? precompile(input) : precompileFailed(error, input.gasLimit));
}

function custom(address: number, run: PrecompileFunc): CustomPrecompile {
  return { address: `0x${hex(address)}`, function: run };
}

function hex(address: number): string {
  return address.toString(16).padStart(40, '0');
}
