// Encodes state and block overrides as compact bytes: the fields in the order of these tables.
import type { Withdrawal } from '../../state/complete-block.js';
import type { AccountOverride, BlockOverride } from '../../transaction/evm-job.js';
import {
  BYTES_CODEC,
  INTEGER_CODEC,
  OptionalFieldsCodec,
  listCodec,
  pairCodec,
  structCodec,
  type Codec,
} from './field-codecs.js';

const STORAGE = listCodec(pairCodec(BYTES_CODEC, BYTES_CODEC));

const ACCOUNT = new OptionalFieldsCodec<Omit<AccountOverride, 'address'>>({
  nonce: INTEGER_CODEC,
  balance: INTEGER_CODEC,
  code: BYTES_CODEC,
  state: STORAGE,
  stateDiff: STORAGE,
  movePrecompileToAddress: BYTES_CODEC,
});

export const ACCOUNT_OVERRIDE_CODEC: Codec<AccountOverride> = {
  pack(account, to) {
    to.bytes(account.address);
    ACCOUNT.pack(account, to);
  },
  unpack: (from) => ({ address: from.bytes(), ...ACCOUNT.unpack(from) }),
};

const WITHDRAWAL = structCodec<Withdrawal>({
  index: INTEGER_CODEC,
  validatorIndex: INTEGER_CODEC,
  address: BYTES_CODEC,
  amount: INTEGER_CODEC,
});

export const BLOCK_OVERRIDE_CODEC: Codec<BlockOverride> = new OptionalFieldsCodec<BlockOverride>({
  number: INTEGER_CODEC,
  difficulty: INTEGER_CODEC,
  time: INTEGER_CODEC,
  gasLimit: INTEGER_CODEC,
  feeRecipient: BYTES_CODEC,
  prevRandao: BYTES_CODEC,
  baseFeePerGas: INTEGER_CODEC,
  blobBaseFee: INTEGER_CODEC,
  beaconRoot: BYTES_CODEC,
  withdrawals: listCodec(WITHDRAWAL),
  blockHash: listCodec(pairCodec(INTEGER_CODEC, BYTES_CODEC)),
});
