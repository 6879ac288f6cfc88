// The gas schedule: what accounts, slots and codes cost transactions and instructions, by fork. Each number is defined
// once, because those of Amsterdam may still change before mainnet.
import type { ActiveForks } from './forks.js';

/** Costs of one fork in gas. State gas is zero if the fork does not have it. */
export interface GasSchedule {
  /** First access to an account (EIP-2929). */
  readonly coldAccount: number;
  /** Surcharge of SSTORE for the first access to a slot (EIP-2929). */
  readonly coldStore: number;
  /** SSTORE to a warm slot unchanged in this transaction: from zero, and from any other value (EIP-2200). */
  readonly slotSet: number;
  readonly slotReset: number;
  /** Refund for clearing a slot (EIP-3529). */
  readonly clears: number;
  /** Reading a code, on top of the access to its account. */
  readonly codeRead: number;
  /** A call with value, including the stipend. */
  readonly valueTransfer: number;
  /** Value sent to an empty account: first by a call, then by SELFDESTRUCT (EIP-161). */
  readonly calledAccount: number;
  readonly beneficiaryAccount: number;
  /** Deployed code, per byte and per word. */
  readonly codeByte: number;
  readonly codeWord: number;
  /** State gas of a new slot, a new account, a byte of deployed code, and a new delegation (EIP-8037). */
  readonly stateSlot: number;
  readonly stateAccount: number;
  readonly stateCodeByte: number;
  readonly stateDelegation: number;
}

/** Costs of transactions, gas. */
export interface TransactionPrices {
  readonly base: number;
  /** A recipient other than the sender, the transfer of value to it, and the creation of a contract (EIP-2). */
  readonly receiver: number;
  readonly value: number;
  readonly creation: number;
  /** State gas for a recipient that the transfer of value creates (EIP-2780). */
  readonly stateAccount: number;
  /** Entries of an access list (EIP-2930). */
  readonly listedAddress: number;
  readonly listedSlot: number;
  /** An authorization (EIP-7702), and the surcharge for the first write to its account. */
  readonly authorization: number;
  readonly accountWrite: number;
  /** Minimum cost per byte of call data (EIP-7623), zero bytes and others, and of an access list (EIP-7981). */
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

/** EIP-8037: state gas per byte of new state. */
const STATE_BYTE = 1530;
/** EIP-8038: first write to an account, and a write that changes a slot. */
const ACCOUNT_WRITE = 9000;
const STORAGE_WRITE = 10_000;
/** EIP-2929. */
const WARM = 100;
const COLD_SLOT = 2100;
const COLD_ACCOUNT = 3000;
/** Bytes of an address and of a slot's key are charged this minimum (EIP-7981). */
const FLOOR_BYTE = 64;
const FLOOR_ADDRESS = 20 * FLOOR_BYTE;
const FLOOR_SLOT = 32 * FLOOR_BYTE;

/** EIP-8037, EIP-8038. */
const AMSTERDAM: GasSchedule = {
  coldAccount: COLD_ACCOUNT,
  // This cost is on top of the warm access.
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

/** EIP-2780, EIP-7976, EIP-7981. */
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

/** Costs of instructions, from London on. */
export function gasSchedule(forks: Pick<ActiveForks, 'isActivatedEIP'>): GasSchedule {
  return forks.isActivatedEIP(8037) ? AMSTERDAM : BERLIN;
}

/** The result for the forks of the last call. Without this cache, the estimate of a plain transfer takes 5 % longer. */
let last: { readonly forks: ActiveForks; readonly prices: TransactionPrices } | null = null;

export function transactionPrices(forks: ActiveForks): TransactionPrices {
  if (last?.forks !== forks)
    last = { forks, prices: forks.isActivatedEIP(2780) ? AMSTERDAM_TRANSACTION : FRONTIER_TRANSACTION };
  return last.prices;
}
