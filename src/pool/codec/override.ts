// Encodes state and block overrides as compact bytes: the fields in the order of these tables.
import type { Withdrawal } from '../../state/block.js';
import type { AccountOverride, BlockOverride } from '../../transaction/evm-job.js';
import { BYTES, INTEGER, OptionalFields, listOf, pairOf, structOf, type Codec } from './fields.js';

const STORAGE = listOf(pairOf(BYTES, BYTES));

const ACCOUNT = new OptionalFields<Omit<AccountOverride, 'address'>>({
  nonce: INTEGER,
  balance: INTEGER,
  code: BYTES,
  state: STORAGE,
  stateDiff: STORAGE,
  movePrecompileToAddress: BYTES,
});

export const ACCOUNT_OVERRIDE: Codec<AccountOverride> = {
  pack(account, to) {
    to.bytes(account.address);
    ACCOUNT.pack(account, to);
  },
  unpack: (from) => ({ address: from.bytes(), ...ACCOUNT.unpack(from) }),
};

const WITHDRAWAL = structOf<Withdrawal>({
  index: INTEGER,
  validatorIndex: INTEGER,
  address: BYTES,
  amount: INTEGER,
});

export const BLOCK_OVERRIDE: Codec<BlockOverride> = new OptionalFields<BlockOverride>({
  number: INTEGER,
  difficulty: INTEGER,
  time: INTEGER,
  gasLimit: INTEGER,
  feeRecipient: BYTES,
  prevRandao: BYTES,
  baseFeePerGas: INTEGER,
  blobBaseFee: INTEGER,
  beaconRoot: BYTES,
  withdrawals: listOf(WITHDRAWAL),
  blockHash: listOf(pairOf(INTEGER, BYTES)),
});
