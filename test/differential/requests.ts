// Random requests for both programs: calls with every possible field, and reads.
import { p256 } from '@noble/curves/nist.js';
import { Interface, type InterfaceAbi, Signature, Wallet, getBytes, hashMessage, hexlify } from 'ethers';
import * as fc from 'fast-check';
import { readDevContractArtifacts } from '../../src/feed/dev/contracts/artifacts.js';
import * as place from './genesis.js';
import { quantity, word } from './genesis.js';
import { INIT_CODES, PROGRAMS } from './programs.js';

/** The transaction object, in JSON. */
export interface CallObject {
  from?: string;
  to?: string;
  value?: string;
  gas?: string;
  gasPrice?: string;
  maxFeePerGas?: string;
  maxPriorityFeePerGas?: string;
  maxFeePerBlobGas?: string;
  data?: string;
  input?: string;
  accessList?: readonly unknown[];
  blobVersionedHashes?: readonly string[];
  authorizationList?: readonly unknown[];
}

export interface Request {
  readonly call: CallObject;
  readonly stateOverride: Record<string, unknown> | null;
  readonly blockOverride?: Record<string, unknown>;
}

const PEOPLE = [place.RICH, place.MODEST, place.POOR, place.NEW, place.ABSENT];
/** Osaka's precompiles. */
export const PRECOMPILES = Array.from({ length: 0x11 }, (_, i) => address(i + 1)).concat(address(0x100));
const TARGETS = [...place.CONTRACTS, place.POOL, ...place.TOKENS, ...place.DELEGATED, ...PRECOMPILES, ...PEOPLE];

function address(number: number): string {
  return `0x${number.toString(16).padStart(40, '0')}`;
}

const either = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const hexBytes = (maxLength: number): fc.Arbitrary<string> =>
  fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes).toString('hex'));
/** Undefined in `weight` of 1 + `weight` cases. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>, weight: number): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const argument = fc.oneof(
  fc.nat(300).map((n) => word(n)),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map((n) => word(n)),
  either(2n ** 255n, 2n ** 256n - 1n, 2n ** 64n, 2n ** 32n - 1n, 0x20000n, 31n, 0x5bn).map((n) => word(n)),
  either(...TARGETS).map((to) => word(to)),
);

const words: fc.Arbitrary<string> = fc
  .tuple(fc.array(argument, { maxLength: 4 }), rarely(hexBytes(40), 4))
  .map(([items, tail]) => items.map((item) => item.slice(2)).join('') + (tail ?? ''));

const { token, pool } = readDevContractArtifacts();

/** A call of any function of a compiled contract, all of whose arguments are addresses and numbers. */
function solidity(abi: InterfaceAbi): fc.Arbitrary<string> {
  const contract = new Interface(abi);
  const functions = contract.fragments.filter((fragment) => fragment.type === 'function');
  return either(...functions).chain((fragment) =>
    fc
      .tuple(
        ...fragment.inputs.map(({ type }) =>
          type === 'address'
            ? either(...place.TOKENS, place.RICH, '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', place.POOL)
            : fc.oneof(
                fc.bigInt({ min: 0n, max: 10n ** 22n }),
                fc.bigInt({ min: 0n, max: 2n ** BigInt(Number(/\d+$/.exec(type)?.[0] ?? 256)) - 1n }),
              ),
        ),
      )
      .map((values) => contract.encodeFunctionData(fragment.format(), values).slice(2)),
  );
}

const tokenCall = solidity(token.abi as InterfaceAbi);
const poolCall = solidity(pool.abi as InterfaceAbi);

/** Call data for `to`, in the form that it reads; `depth` limits nested forwarding. */
function dataFor(to: string, depth: number): fc.Arbitrary<string> {
  if (place.TOKENS.includes(to)) return tokenCall;
  if (to === place.POOL) return poolCall;
  if (PRECOMPILES.includes(to)) return precompileInput(Number(BigInt(to)));
  const { reads } = PROGRAMS[place.CONTRACTS.indexOf(to)] ?? { reads: to === place.DELEGATED[2] ? 'forward' : 'words' };
  if (reads === 'initcode') return initCode;
  if (reads === 'words' || depth === 0) return words;
  return either(...TARGETS).chain((next) => dataFor(next, depth - 1).map((data) => word(next).slice(2) + data));
}

const initCode = fc
  .tuple(
    fc.oneof(
      { weight: 6, arbitrary: either(...INIT_CODES) },
      { weight: 1, arbitrary: hexBytes(30).map((b) => `0x${b}`) },
    ),
    rarely(words, 3),
  )
  .map(([code, tail]) => code.slice(2) + (tail ?? ''));

const message = hashMessage('prestate');
const zeros = (bytes: number): string => '00'.repeat(bytes);
const small = (value: number, bytes: number): string => value.toString(16).padStart(bytes * 2, '0');

const bits = (n: number | bigint): string => word(n).slice(2);

/** Valid inputs of precompiles, by address. */
function wellFormed(number: number): fc.Arbitrary<string> {
  switch (number) {
    case 1: {
      const { r, s, v } = new Wallet(word(5)).signingKey.sign(message);
      return fc.constant(message.slice(2) + bits(v) + r.slice(2) + s.slice(2));
    }
    case 5:
      return fc
        .tuple(hexBytes(40), hexBytes(40), hexBytes(40))
        .map((parts) => parts.map((part) => bits(part.length / 2)).join('') + parts.join(''));
    case 6:
      return either(bits(1) + bits(2) + bits(1) + bits(2), bits(1) + bits(2), bits(1) + bits(2) + zeros(64));
    case 7:
      return fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map((n) => bits(1) + bits(2) + bits(n));
    case 8:
      return either('', zeros(192), zeros(384), bits(1) + bits(2) + zeros(128));
    case 9:
      return fc
        .tuple(fc.nat(60), fc.uint8Array({ minLength: 208, maxLength: 208 }), fc.nat(1))
        .map(([rounds, bytes, last]) => small(rounds, 4) + Buffer.from(bytes).toString('hex') + small(last, 1));
    case 0x0b:
      return fc.constant(zeros(256));
    case 0x0c:
      return fc.nat(3).map((n) => (zeros(128) + bits(n)).repeat(n));
    case 0x0d:
      return fc.constant(zeros(512));
    case 0x0e:
      return fc.nat(3).map((n) => (zeros(256) + bits(n)).repeat(n));
    case 0x0f:
      return fc.nat(2).map((n) => zeros(384 * n));
    case 0x10:
      return fc.nat(1000).map((n) => small(n, 64));
    case 0x11:
      return fc.nat(1000).map((n) => small(n, 64) + small(n + 1, 64));
    case 0x100: {
      const secret = new Uint8Array(32).fill(9);
      const signature = p256.sign(getBytes(message), secret, { prehash: false });
      const key = p256.getPublicKey(secret, false).slice(1);
      return fc.constant(message.slice(2) + hexlify(signature).slice(2) + hexlify(key).slice(2));
    }
    default:
      return hexBytes(200);
  }
}

function precompileInput(number: number): fc.Arbitrary<string> {
  return fc.oneof({ weight: 4, arbitrary: wellFormed(number) }, { weight: 1, arbitrary: hexBytes(300) }, words);
}

const target = fc.oneof(
  { weight: 10, arbitrary: either<string | undefined>(...place.CONTRACTS) },
  { weight: 3, arbitrary: either<string | undefined>(place.POOL, ...place.TOKENS) },
  { weight: 2, arbitrary: either<string | undefined>(...place.DELEGATED) },
  { weight: 2, arbitrary: either<string | undefined>(...PRECOMPILES) },
  { weight: 1, arbitrary: either<string | undefined>(...PEOPLE) },
  { weight: 2, arbitrary: fc.constant(undefined) },
);

const sender = fc.oneof(
  { weight: 10, arbitrary: either<string | undefined>(place.RICH) },
  { weight: 4, arbitrary: either<string | undefined>(undefined, '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266') },
  { weight: 2, arbitrary: either<string | undefined>(place.MODEST, place.POOR, place.NEW, place.ABSENT) },
  { weight: 2, arbitrary: either<string | undefined>(...place.CONTRACTS, ...place.DELEGATED) },
);

const value = rarely(either(0n, 1n, 2n, 100n, 101n, 10n ** 15n, 10n ** 18n, 2n ** 200n).map(quantity), 3);
const GAS = [100, 20_999, 21_000, 21_001, 25_000, 30_000, 53_000, 60_000, 100_000, 300_000, place.GAS_LIMIT];
const gas = rarely(fc.oneof(either(...GAS), fc.integer({ min: 21_000, max: place.GAS_LIMIT })).map(quantity), 3);

type Fees = Pick<CallObject, 'gasPrice' | 'maxFeePerGas' | 'maxPriorityFeePerGas'>;
const price = fc.oneof(
  { weight: 5, arbitrary: either(0, place.BASE_FEE, place.BASE_FEE + 7, 50 * place.BASE_FEE).map(quantity) },
  { weight: 1, arbitrary: either(1, place.BASE_FEE - 1).map(quantity) },
);
const fees: fc.Arbitrary<Fees> = fc.oneof(
  { weight: 12, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: price.map((gasPrice) => ({ gasPrice })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(price, price)
      .map(([maxFeePerGas, maxPriorityFeePerGas]) => ({ maxFeePerGas, maxPriorityFeePerGas })),
  },
  { weight: 1, arbitrary: price.map((maxFeePerGas) => ({ maxFeePerGas })) },
);

const accessList = rarely(
  fc.array(
    fc.record({
      address: either(...TARGETS),
      storageKeys: fc.array(
        fc.nat(3).map((n) => word(n)),
        { maxLength: 3 },
      ),
    }),
    { maxLength: 3 },
  ),
  7,
);

/** Nonces of WALLETS in the genesis. */
const NONCES = [0, 7, 1, 0];

/** Authorizations: valid, for another chain, with another nonce, or tampered with; and the signer. */
const authorization = fc
  .record({
    signer: fc.nat(place.WALLETS.length - 1),
    to: either(...place.CONTRACTS, address(0), address(4), ...place.DELEGATED),
    chainId: either(place.CHAIN_ID, place.CHAIN_ID, place.CHAIN_ID, 0, 1),
    // The sender's own nonce has already been incremented by then.
    ahead: either(0, 0, 0, 1),
    flip: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  })
  .map(({ signer, to, chainId, ahead, flip }) => {
    const nonce = NONCES[signer]! + ahead;
    const wallet = place.WALLETS[signer]!;
    const { r, s, yParity } = Signature.from(wallet.authorizeSync({ address: to, chainId, nonce }).signature);
    const fields = { chainId: quantity(chainId), address: to, nonce: quantity(nonce) };
    const signed = { yParity: quantity(flip ? 1 - yParity : yParity), r: quantity(BigInt(r)), s: quantity(BigInt(s)) };
    return { authority: wallet.address, tuple: Object.assign(fields, signed) };
  });
/** `touched`: the first authority becomes the first word of the call data. */
const authorizations = rarely(
  fc.record({ list: fc.array(authorization, { minLength: 1, maxLength: 3 }), touched: fc.boolean() }),
  5,
);

type Blobs = Pick<CallObject, 'blobVersionedHashes' | 'maxFeePerBlobGas'>;
const blobs: fc.Arbitrary<Blobs> = fc.oneof(
  { weight: 14, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 6 }).map((n) => ({
      maxFeePerBlobGas: '0x64',
      blobVersionedHashes: Array.from({ length: n }, (_, i) => `0x01${word(i).slice(4)}`),
    })),
  },
);

const slots = fc.dictionary(
  fc.nat(3).map((n) => word(n)),
  argument,
  { maxKeys: 3 },
);
const override = fc.oneof(
  fc.record({ balance: either(0n, 10n ** 19n).map(quantity) }),
  fc.record({ nonce: fc.nat(9).map(quantity) }),
  fc.record({ code: either(...PROGRAMS.map(({ code }) => code), '0x', `0xef0100${place.CONTRACTS[1]!.slice(2)}`) }),
  fc.record({ state: slots }),
  fc.record({ stateDiff: slots }),
);

function stateOverride(to: string | undefined): fc.Arbitrary<Record<string, unknown> | null> {
  const overridden = either(to ?? place.RICH, place.RICH, place.CONTRACTS[4]!, place.ABSENT);
  return rarely(fc.dictionary(overridden, override, { minKeys: 1, maxKeys: 2, noNullPrototype: true }), 6).map(
    (changes) => changes ?? null,
  );
}

/** One call. */
export const request: fc.Arbitrary<Request> = target.chain((to) =>
  fc
    .record({
      from: sender,
      data: to === undefined ? initCode : dataFor(to, 2),
      value,
      gas,
      fees,
      accessList,
      authorizations,
      blobs,
      key: either('data', 'input', 'both'),
      stateOverride: stateOverride(to),
    })
    .map(
      ({
        from,
        data: plainData,
        value: wei,
        gas: limit,
        fees: paid,
        accessList: list,
        authorizations: signed,
        blobs: sidecar,
        key,
        stateOverride: changed,
      }) => {
        // Blob transactions need EIP-1559 fees.
        const isPlain = to === undefined || signed !== undefined || paid.gasPrice !== undefined;
        const blobFields = isPlain ? {} : sidecar;
        const data =
          (to !== undefined && signed?.touched === true ? word(signed.list[0]!.authority.toLowerCase()).slice(2) : '') +
          plainData;
        const authorizationList = signed?.list.map(({ tuple }) => tuple);
        const call = {
          from,
          to,
          value: wei,
          gas: limit,
          ...paid,
          ...(key === 'data' ? {} : { input: `0x${data}` }),
          ...(key === 'input' ? {} : { data: `0x${data}` }),
          accessList: list,
          ...(to === undefined ? {} : { authorizationList }),
          ...blobFields,
        };
        return { call: JSON.parse(JSON.stringify(call)) as CallObject, stateOverride: changed };
      },
    ),
);

const account = fc.oneof(either(...TARGETS), fc.nat(0xffff).map(address));

/** One read of the state. */
export const read = fc.oneof(
  fc
    .tuple(
      account,
      fc.oneof(
        fc.nat(5).map((n) => word(n)),
        argument,
      ),
    )
    .map(([who, slot]) => ({ method: 'eth_getStorageAt', params: [who, slot, 'latest'] })),
  fc
    .tuple(either('eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'), account)
    .map(([method, who]) => ({ method, params: [who, 'latest'] })),
);

/** Returns NUMBER, TIMESTAMP, COINBASE, PREVRANDAO, GASLIMIT, BASEFEE and BLOCKHASH of the number in the call data. */
const ENVIRONMENT_CODE = '0x435f52426020524160405244606052456080524860a0525f354060c05260e05ff3';

/** A member under one of its names, or none. */
const named = (names: readonly string[], values: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> =>
  fc.oneof(
    fc.constant({}),
    fc.tuple(either(...names), values).map(([name, member]) => ({ [name]: member })),
  );

/** A call that reads its block environment, which is overridden under go-ethereum's, Erigon's or alloy's names. */
export const inAnotherBlock: fc.Arbitrary<Request> = fc
  .record({
    number: fc.integer({ min: 1000, max: 2 ** 40 }),
    numberName: either('number', 'blockNumber'),
    time: named(['time', 'timestamp'], fc.integer({ min: 2 ** 31, max: 2 ** 40 }).map(quantity)),
    recipient: named(['feeRecipient', 'coinbase'], either(...place.CONTRACTS, address(0xfee))),
    randao: named(
      ['prevRandao', 'random'],
      argument.filter((text) => text.length === 66),
    ),
    fee: named(['baseFeePerGas', 'baseFee'], either(0, 7, place.BASE_FEE, 3 * place.BASE_FEE).map(quantity)),
    gasLimit: named(['gasLimit'], either(10 ** 6, place.GAS_LIMIT).map(quantity)),
    back: fc.integer({ min: 1, max: 256 }),
    hash: argument,
  })
  .map(({ number, numberName, time, recipient, randao, fee, gasLimit, back, hash }) => {
    const at = number - back;
    const blockHash = { [at]: hash };
    return {
      call: {
        from: place.RICH,
        to: place.ABSENT,
        data: word(at),
        gas: quantity(200_000),
        gasPrice: quantity(50 * place.BASE_FEE),
      },
      stateOverride: { [place.ABSENT]: { code: ENVIRONMENT_CODE } },
      blockOverride: {
        [numberName]: quantity(number),
        ...time,
        ...recipient,
        ...randao,
        ...fee,
        ...gasLimit,
        blockHash,
      },
    };
  });
