// Jobs and outcomes for the pool's tests: plain and arbitrary ones.
import * as fc from 'fast-check';
import type { JobTrace, TracerSpec } from '../../src/transaction/trace-request-types.js';
import type { AccessListEntry } from '../../src/chain/access-list-entry.js';
import {
  PLACEHOLDER_CALL_REQUEST,
  type AccountOverride,
  type Authorization,
  type BlockOverride,
  type Bundle,
  type CallsInBlock,
  type CallRequest,
  type Job,
  type JobReadPosition,
  type JobOutcome,
  type BlockReplay,
  type SimulationParams,
} from '../../src/transaction/evm-job.js';
import { ERRORS, type ErrorName } from '../../src/rpc-errors.js';
import { UNLIMITED_MS } from '../support/patience.js';

/** An estimate at version 1 with these call data and no time limit. */
export function jobWith(data: Uint8Array, more: Partial<Job> = {}): Job {
  return {
    kind: 'estimate',
    position: { kind: 'version', version: 1 },
    call: { ...PLACEHOLDER_CALL_REQUEST, to: new Uint8Array(20).fill(0x11), data },
    stateOverride: [],
    blockOverride: null,
    gasCap: 50_000_000n,
    timeoutMs: UNLIMITED_MS,
    ...more,
  };
}

const PLAIN = { noNullPrototype: true } as const;

const word256 = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n });
const word64 = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });
const integer = fc.oneof(fc.constantFrom(0n, 1n, (1n << 64n) - 1n, 1n << 64n, (1n << 256n) - 1n), word64, word256);
const address = fc.uint8Array({ minLength: 20, maxLength: 20 });
const word = fc.uint8Array({ minLength: 32, maxLength: 32 });
const position: fc.Arbitrary<JobReadPosition> = fc.oneof(
  fc.record({ kind: fc.constant('version' as const), version: fc.maxSafeNat() }, PLAIN),
  fc.record({ kind: fc.constant('archive' as const), block: fc.maxSafeNat() }, PLAIN),
);
const hugeData = fc.nat({ max: 100_000 }).map((length) => new Uint8Array(length).map((_, at) => at * 31));
const data = fc.oneof({ weight: 9, arbitrary: fc.uint8Array({ maxLength: 500 }) }, { weight: 1, arbitrary: hugeData });
const access: fc.Arbitrary<AccessListEntry> = fc.record({ address, slots: fc.array(word, { maxLength: 4 }) }, PLAIN);
const storage = fc.array(fc.tuple(word, word), { maxLength: 4 });
const authorization: fc.Arbitrary<Authorization> = fc.record(
  {
    chainId: integer,
    address,
    nonce: integer,
    yParity: integer,
    r: integer,
    s: integer,
  },
  PLAIN,
);

const CALL_KEYS: (keyof CallRequest)[] = [
  'from',
  'to',
  'gas',
  'gasPrice',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
  'maxFeePerBlobGas',
  'value',
  'data',
  'accessList',
  'blobVersionedHashes',
  'authorizationList',
];

const call: fc.Arbitrary<CallRequest> = fc.record(
  {
    from: address,
    to: fc.option(address),
    gas: fc.option(integer),
    gasPrice: fc.option(integer),
    maxFeePerGas: fc.option(integer),
    maxPriorityFeePerGas: fc.option(integer),
    maxFeePerBlobGas: fc.option(integer),
    value: integer,
    data,
    accessList: fc.option(fc.array(access, { maxLength: 4 })),
    blobVersionedHashes: fc.option(fc.array(word, { maxLength: 6 })),
    authorizationList: fc.option(fc.array(authorization, { maxLength: 3 })),
    nonce: integer,
  },
  { requiredKeys: CALL_KEYS, noNullPrototype: true },
);

const accountOverride: fc.Arbitrary<AccountOverride> = fc.record(
  {
    address,
    nonce: integer,
    balance: integer,
    code: data,
    state: storage,
    stateDiff: storage,
    movePrecompileToAddress: address,
  },
  { requiredKeys: ['address'], noNullPrototype: true },
);

const blockOverride: fc.Arbitrary<BlockOverride> = fc.record(
  {
    number: integer,
    difficulty: integer,
    time: integer,
    gasLimit: integer,
    feeRecipient: address,
    prevRandao: word,
    baseFeePerGas: integer,
    blobBaseFee: integer,
    blockHash: fc.array(fc.tuple(integer, word), { maxLength: 3 }),
    beaconRoot: word,
    withdrawals: fc.array(fc.record({ index: integer, validatorIndex: integer, address, amount: integer }, PLAIN), {
      maxLength: 3,
    }),
  },
  { requiredKeys: [], noNullPrototype: true },
);

const callBlock: fc.Arbitrary<CallsInBlock> = fc.record(
  {
    stateOverride: fc.array(accountOverride, { maxLength: 2 }),
    blockOverride: fc.option(blockOverride),
    calls: fc.array(call, { maxLength: 3 }),
  },
  PLAIN,
);

const simulation: fc.Arbitrary<SimulationParams> = fc.record(
  {
    parentHeader: data,
    isPreConfirmed: fc.boolean(),
    traceTransfers: fc.boolean(),
    validation: fc.boolean(),
    returnFullTransactions: fc.boolean(),
  },
  PLAIN,
);

const replay: fc.Arbitrary<BlockReplay> = fc.record(
  {
    header: data,
    cumulativeGasUsed: integer,
    transactions: fc.array(fc.record({ hash: word, raw: data, from: address }, PLAIN), { maxLength: 3 }),
  },
  PLAIN,
);

const flag = fc.boolean();
const { tracer } = fc.letrec<{ tracer: TracerSpec }>((tie) => ({
  tracer: fc.oneof(
    fc.record({ name: fc.constant('callTracer' as const), onlyTopCall: flag, withLog: flag }, PLAIN),
    fc.constant<TracerSpec>({ name: '4byteTracer' }),
    fc.record(
      { name: fc.constant('flatCallTracer' as const), convertParityErrors: flag, includePrecompiles: flag },
      PLAIN,
    ),
    fc.record({ name: fc.constant('muxTracer' as const), tracers: fc.array(tie('tracer'), { maxLength: 2 }) }, PLAIN),
  ),
}));
const trace: fc.Arbitrary<JobTrace> = fc.record(
  { of: fc.constantFrom<JobTrace['of']>('call', 'transaction', 'block'), tracer },
  PLAIN,
);

const bundle: fc.Arbitrary<Bundle> = fc.record(
  {
    parentHeader: data,
    isPreConfirmed: fc.boolean(),
    transactions: fc.array(data, { maxLength: 3 }),
    withStateDiff: fc.boolean(),
    isMetered: fc.boolean(),
  },
  PLAIN,
);

/** Every job that the types allow; each optional field may be absent. */
export const anyJob: fc.Arbitrary<Job> = fc.record(
  {
    kind: fc.constantFrom<Job['kind']>('estimate', 'call', 'accessList', 'simulate', 'callMany', 'trace', 'bundle'),
    position,
    call,
    stateOverride: fc.array(accountOverride, { maxLength: 3 }),
    blockOverride: fc.option(blockOverride),
    gasCap: integer,
    timeoutMs: fc.double({ noNaN: true, noDefaultInfinity: true, min: 0, max: 1e9 }),
    blocks: fc.array(callBlock, { maxLength: 3 }),
    simulation,
    replay,
    tip: integer,
    trace,
    bundle,
  },
  {
    requiredKeys: ['kind', 'position', 'call', 'stateOverride', 'blockOverride', 'gasCap', 'timeoutMs'],
    noNullPrototype: true,
  },
);

const errorName = fc.constantFrom(...Object.keys(ERRORS).filter((name): name is ErrorName => name in ERRORS));

/** Every outcome. */
export const anyOutcome: fc.Arbitrary<JobOutcome> = fc.oneof(
  fc.record({ kind: fc.constant('gas' as const), gas: integer }, PLAIN),
  fc.record({ kind: fc.constant('return' as const), data }, PLAIN),
  fc.record({ kind: fc.constant('revert' as const), data }, PLAIN),
  fc.record({ kind: fc.constant('json' as const), text: fc.string({ unit: 'grapheme' }) }, PLAIN),
  fc.record(
    {
      kind: fc.constant('failure' as const),
      error: errorName,
      message: fc.string({ unit: 'grapheme' }),
    },
    PLAIN,
  ),
);
