// Makes pairing precompiles (EIP-197, EIP-2537) charge their gas before they look at their input.
import { EVMError, type PrecompileFunc } from '@ethereumjs/evm';
import { precompileFailed } from './make-precompile-result.js';

const { OUT_OF_GAS } = EVMError.errorMessages;

/**
 * By address of the precompile: bytes of a pair, and the names in @ethereumjs for the gas of a call and of each pair.
 */
const PAIRINGS: ReadonlyMap<number, readonly [pairBytes: number, callGas: string, pairGas: string]> = new Map([
  [0x08, [192, 'bn254PairingGas', 'bn254PairingWordGas']],
  [0x0f, [384, 'bls12381PairingBaseGas', 'bls12381PairingPerPairGas']],
]);

/**
 * Wraps a precompile so that a call without enough gas runs out of gas, whatever its input is. @ethereumjs would check
 * the input's length first.
 */
export function chargeGasFirst(number: number, run: PrecompileFunc): PrecompileFunc {
  const pairing = PAIRINGS.get(number);
  if (pairing === undefined) return run;
  const [pairBytes, callGas, pairGas] = pairing;
  return (input) => {
    const pairs = BigInt(Math.floor(input.data.length / pairBytes));
    const gas = input.common.param(callGas) + pairs * input.common.param(pairGas);
    return input.gasLimit < gas ? precompileFailed(OUT_OF_GAS, input.gasLimit) : run(input);
  };
}
