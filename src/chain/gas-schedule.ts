// Gas schedule: what accounts, slots and code cost in transactions and instructions, by fork. Each number is defined
// once, because Amsterdam's numbers may still change before mainnet.
import type { ActiveForks } from './active-forks.js';

/** Gas costs of one fork. State gas is zero in forks that do not have it. */
export interface GasSchedule {
  /** First access to an account (EIP-2929). */
  readonly coldAccount: number;
  /** Additional gas of SSTORE for the first access to a slot (EIP-2929). */
  readonly coldStore: number;
  /**
   * SSTORE to a warm slot that this transaction has not changed: `slotSet` if its value is zero, `slotReset` otherwise
   * (EIP-2200).
   */
  readonly slotSet: number;
  readonly slotReset: number;
  /** Refund for clearing a slot (EIP-3529). */
  readonly clears: number;
  /** Gas for reading an account's code, in addition to the access to the account. */
  readonly codeRead: number;
  /** Gas of a call with value, including the stipend. */
  readonly valueTransfer: number;
  /** Gas for sending value to an empty account: by a call, and by SELFDESTRUCT (EIP-161). */
  readonly calledAccount: number;
  readonly beneficiaryAccount: number;
  /** Gas of deployed code, per byte and per 32-byte word. */
  readonly codeByte: number;
  readonly codeWord: number;
  /** State gas (EIP-8037) of a new slot, of a new account, of a byte of deployed code, and of a new delegation. */
  readonly stateSlot: number;
  readonly stateAccount: number;
  readonly stateCodeByte: number;
  readonly stateDelegation: number;
}

/** Gas that transactions pay before their first instruction. */
export interface TransactionPrices {
  readonly base: number;
  /** Gas for a recipient other than the sender, for transferring value to it, and for creating a contract (EIP-2). */
  readonly receiver: number;
  readonly value: number;
  readonly creation: number;
  /** State gas of a recipient account that the value transfer creates (EIP-2780). */
  readonly stateAccount: number;
  /** Gas per address and per storage key of an access list (EIP-2930). */
  readonly listedAddress: number;
  readonly listedSlot: number;
  /** Gas of an authorization (EIP-7702), and additional gas for the first write to the authority's account. */
  readonly authorization: number;
  readonly accountWrite: number;
  /** Minimum charge per zero byte and per other byte of calldata (EIP-7623), and for an access list (EIP-7981). */
  readonly floorZero: number;
  readonly floorByte: number;
  readonly floorAddress: number;
  readonly floorSlot: number;
}

const BERLIN: GasSchedule = {
  coldAccount: 2600,
  coldStore: 2100,
  slotSet: 20_000,
  slotReset: 2900,
  clears: 4800,
  codeRead: 0,
  valueTransfer: 9000,
  calledAccount: 25_000,
  beneficiaryAccount: 25_000,
  codeByte: 200,
  codeWord: 0,
  stateSlot: 0,
  stateAccount: 0,
  stateCodeByte: 0,
  stateDelegation: 0,
};

/** State gas per byte of new state (EIP-8037). */
const STATE_BYTE = 1530;
/** Gas for the first write to an account, and for a write that changes a slot (EIP-8038). */
const ACCOUNT_WRITE = 9000;
const STORAGE_WRITE = 10_000;
/** Gas of an access to a warm account or slot (EIP-2929). */
const WARM = 100;
const COLD_SLOT = 2100;
const COLD_ACCOUNT = 3000;
/** Minimum charge for each byte of an address or storage key in an access list (EIP-7981). */
const FLOOR_BYTE = 64;
const FLOOR_ADDRESS = 20 * FLOOR_BYTE;
const FLOOR_SLOT = 32 * FLOOR_BYTE;

/** Amsterdam's costs (EIP-8037, EIP-8038). */
const AMSTERDAM: GasSchedule = {
  coldAccount: COLD_ACCOUNT,
  // SSTORE charges this in addition to the cost of a warm access.
  coldStore: COLD_SLOT - WARM,
  slotSet: WARM + STORAGE_WRITE,
  slotReset: WARM + STORAGE_WRITE,
  clears: 11_616,
  codeRead: WARM,
  valueTransfer: ACCOUNT_WRITE + 2300,
  calledAccount: 0,
  beneficiaryAccount: ACCOUNT_WRITE,
  codeByte: 0,
  codeWord: 6,
  stateSlot: 64 * STATE_BYTE,
  stateAccount: 120 * STATE_BYTE,
  stateCodeByte: STATE_BYTE,
  stateDelegation: 23 * STATE_BYTE,
};

const FRONTIER_TRANSACTION: TransactionPrices = {
  base: 21_000,
  receiver: 0,
  value: 0,
  creation: 32_000,
  stateAccount: 0,
  listedAddress: 2400,
  listedSlot: 1900,
  authorization: 25_000,
  accountWrite: 0,
  floorZero: 10,
  floorByte: 40,
  floorAddress: 0,
  floorSlot: 0,
};

/** Amsterdam's transaction costs (EIP-2780, EIP-7976, EIP-7981). */
const AMSTERDAM_TRANSACTION: TransactionPrices = {
  base: 12_000,
  receiver: COLD_ACCOUNT,
  value: 6000,
  creation: ACCOUNT_WRITE + COLD_ACCOUNT,
  stateAccount: AMSTERDAM.stateAccount,
  listedAddress: COLD_ACCOUNT - WARM + FLOOR_ADDRESS,
  listedSlot: COLD_SLOT - WARM + FLOOR_SLOT,
  authorization: 7816,
  accountWrite: ACCOUNT_WRITE,
  floorZero: FLOOR_BYTE,
  floorByte: FLOOR_BYTE,
  floorAddress: FLOOR_ADDRESS,
  floorSlot: FLOOR_SLOT,
};

/** Returns the gas costs of instructions under these forks. Forks before London get London's costs. */
export function gasSchedule(forks: Pick<ActiveForks, 'isActivatedEIP'>): GasSchedule {
  return forks.isActivatedEIP(8037) ? AMSTERDAM : BERLIN;
}

/** Cache of the last call. Without it, the estimate of a plain transfer takes 5 % longer. */
let last: { readonly forks: ActiveForks; readonly prices: TransactionPrices } | null = null;

export function transactionPrices(forks: ActiveForks): TransactionPrices {
  if (last?.forks !== forks)
    last = { forks, prices: forks.isActivatedEIP(2780) ? AMSTERDAM_TRANSACTION : FRONTIER_TRANSACTION };
  return last.prices;
}
