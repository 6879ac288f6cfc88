// Writes a fork's rules into the kernel's memory.
import { opcodeGas, isOpcodeDefined } from '../opcodes.js';
import { OPCODES } from '../opcodes.table.js';
import type { ForkRules } from '../reference/fork-rules.js';
import * as LAYOUT from './assembly/shared/memory-layout.js';
import * as OPCODE from './assembly/shared/opcode-fields.js';
import { codeLimits } from '../../chain/code-limits.js';
import { gasSchedule } from '../../chain/gas-schedule.js';
import * as PRICE from './assembly/shared/price-fields.js';
import * as PRECOMPILE from './assembly/shared/precompile-kinds.js';
import * as RULE from './assembly/shared/rule-flags.js';
import type { Kernel } from './kernel.js';

const ENDS = { block: OPCODE.ENDS_BLOCK, flow: OPCODE.ENDS_FLOW } as const;
const IDENTITY = 4;
const SHA256 = 2;

/**
 * True for forks from London on. Earlier forks meter storage and refunds differently, which the kernel does not
 * support.
 */
export function isKernelFork({ common }: ForkRules): boolean {
  return common.gteHardfork('london');
}

/**
 * Writes rule flags, prices, opcodes and precompiles. `hasPrecompile` returns whether there is a precompile at an
 * address.
 */
export function writeKernelRules(kernel: Kernel, rules: ForkRules, hasPrecompile: (address: number) => boolean): void {
  const { bytes, u32 } = kernel;
  const { common, fork } = rules;
  u32[LAYOUT.RULES >>> 2] =
    (common.isActivatedEIP(3860) ? RULE.LIMITS_INITCODE : 0) |
    (common.isActivatedEIP(6780) ? RULE.DESTROYS_NEW_ONLY : 0) |
    (common.isActivatedEIP(7702) ? RULE.DELEGATION : 0) |
    (common.isActivatedEIP(8037) ? RULE.STATE_GAS : RULE.STORAGE_COLLIDES) |
    (common.isActivatedEIP(7708) ? RULE.TRANSFER_LOGS : 0) |
    (common.isActivatedEIP(8246) ? RULE.DESTROYED_KEEPS_BALANCE : 0);
  writePrices(kernel, rules);
  for (const opcode of OPCODES) {
    const row = LAYOUT.OPCODES + opcode.code * OPCODE.ROW_BYTES;
    u32[(row + OPCODE.STATIC_GAS) >>> 2] = opcodeGas(opcode, fork);
    bytes[row + OPCODE.ITEMS_POPPED] = opcode.popped;
    bytes[row + OPCODE.ITEMS_PUSHED] = opcode.pushed;
    bytes[row + OPCODE.IS_DEFINED] = isOpcodeDefined(opcode, fork) ? 1 : 0;
    bytes[row + OPCODE.ENDS] = opcode.ends === null ? 0 : ENDS[opcode.ends];
  }
  for (let address = 0; address < LAYOUT.PRECOMPILE_ADDRESS_END; address++)
    bytes[LAYOUT.PRECOMPILES + address] = hasPrecompile(address) ? kindOf(address) : 0;
  kernel.setWord(LAYOUT.ENV + LAYOUT.ENV_CHAIN_ID, common.chainId());
}

function writePrices({ i64 }: Kernel, { common }: ForkRules): void {
  const prices = gasSchedule(common);
  const limits = codeLimits(common);
  const write = (field: number, value: number): void => {
    i64[(LAYOUT.PRICES + field) >>> 3] = BigInt(value);
  };
  write(PRICE.COLD_ACCOUNT, prices.coldAccount);
  write(PRICE.COLD_STORE, prices.coldStore);
  write(PRICE.SLOT_SET, prices.slotSet);
  write(PRICE.SLOT_RESET, prices.slotReset);
  write(PRICE.SLOT_CLEAR_REFUND, prices.clears);
  write(PRICE.CODE_READ, prices.codeRead);
  write(PRICE.VALUE_TRANSFER, prices.valueTransfer);
  write(PRICE.CALL_EMPTY_ACCOUNT, prices.calledAccount);
  write(PRICE.SELFDESTRUCT_EMPTY_BENEFICIARY, prices.beneficiaryAccount);
  write(PRICE.CODE_BYTE, prices.codeByte);
  write(PRICE.CODE_DEPOSIT_WORD, prices.codeWord);
  write(PRICE.STATE_SLOT, prices.stateSlot);
  write(PRICE.STATE_ACCOUNT, prices.stateAccount);
  write(PRICE.STATE_CODE_BYTE, prices.stateCodeByte);
  write(PRICE.CODE_MAX, limits.code);
  write(PRICE.INITCODE_MAX, limits.initcode);
}

function kindOf(address: number): number {
  if (address === IDENTITY) return PRECOMPILE.IDENTITY;
  return address === SHA256 ? PRECOMPILE.SHA256 : PRECOMPILE.HOST;
}
