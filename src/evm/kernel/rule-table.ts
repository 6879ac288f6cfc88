// The rules of a fork in the form that the kernel reads. Runs on publisher and estimators.
import { isDefined, itemsGiven, itemsTaken, staticGas } from '../opcodes.js';
import type { ForkRules } from '../rules.js';
import { PRECOMPILE, RULE } from './fields.js';
import type { Kernel } from './kernel.js';

/** Addresses below this one are looked up in the kernel's table. */
const PRECOMPILES = 0x200;
const IDENTITY = 4;
const SHA256 = 2;

/** Forks before London meter storage and refunds differently. */
export function isKernelFork({ common }: ForkRules): boolean {
  return common.gteHardfork('london');
}

/** Writes flags, opcodes and precompiles; `hasPrecompile` tells at which addresses there is one. */
export function writeRules(kernel: Kernel, rules: ForkRules, hasPrecompile: (address: number) => boolean): void {
  const { bytes, u32, layout } = kernel;
  const { common } = rules;
  u32[layout.RULES >>> 2] =
    (common.isActivatedEIP(3860) ? RULE.initcode : 0) |
    (common.isActivatedEIP(6780) ? RULE.destroysNewOnly : 0) |
    (common.isActivatedEIP(7702) ? RULE.delegation : 0);
  for (let opcode = 0; opcode < 256; opcode++) {
    const row = layout.OPCODES + opcode * 8;
    u32[row >>> 2] = staticGas(opcode);
    bytes[row + 4] = itemsTaken(opcode);
    bytes[row + 5] = itemsGiven(opcode);
    bytes[row + 6] = isDefined(opcode, common) ? 1 : 0;
  }
  for (let address = 0; address < PRECOMPILES; address++)
    bytes[layout.PRECOMPILES + address] = hasPrecompile(address) ? kindOf(address) : 0;
  kernel.setWord(layout.ENV + layout.ENV_CHAIN_ID, common.chainId());
}

function kindOf(address: number): number {
  if (address === IDENTITY) return PRECOMPILE.identity;
  return address === SHA256 ? PRECOMPILE.sha256 : PRECOMPILE.host;
}
