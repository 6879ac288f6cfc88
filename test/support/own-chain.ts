// A small chain from Berlin to Osaka with transactions of types 0 to 4, built by @ethereumjs/vm alone: genesis file,
// block file, and the library's state after every block. Used where the shared test data are absent.
import { createBlock, type Block } from '@ethereumjs/block';
import { createCommonFromGethGenesis, parseGethGenesisState, type Common, type GethGenesis } from '@ethereumjs/common';
import { createEVM } from '@ethereumjs/evm';
import { MerkleStateManager } from '@ethereumjs/statemanager';
import { createTx, type TypedTransaction } from '@ethereumjs/tx';
import {
  bytesToHex,
  createAddressFromPrivateKey,
  createAddressFromString,
  eoaCode7702SignAuthorization,
} from '@ethereumjs/util';
import { buildBlock, createVM, runTx, type VM } from '@ethereumjs/vm';
import { REFERENCE_KZG } from '../../src/evm/reference/kzg.js';
import { SYSTEM_CONTRACTS } from '../../src/feed/dev/system-contract-code.js';
import { assemble } from './assembler.js';
import { temporaryFile } from './temporary-folder.js';

const KEYS = [0x61, 0x62].map((byte) => new Uint8Array(32).fill(byte));
const AUTHORITY_KEY = new Uint8Array(32).fill(0x63);
const addressOf = (key: Uint8Array): string => createAddressFromPrivateKey(key).toString();

export const [SENDER, OTHER] = KEYS.map(addressOf) as [string, string];
/** Delegates to STORE in the Prague block. */
export const AUTHORITY = addressOf(AUTHORITY_KEY);
/** SSTORE(word 0, word 1) of the call data, logs word 1, and returns both words. */
export const STORE = `0x${'5a'.repeat(20)}`;
export const REVERTER = `0x${'5b'.repeat(20)}`;
/** Receives the withdrawals of the Shanghai block. */
const VALIDATOR = `0x${'5c'.repeat(20)}`;
const RECEIVER = `0x${'5d'.repeat(20)}`;
const COINBASE = `0x${'c0'.repeat(20)}`;

const CODES: Readonly<Record<string, string>> = {
  [STORE]: assemble(
    'PUSH 64; PUSH 0; PUSH 0; CALLDATACOPY; PUSH 32; MLOAD; PUSH 0; MLOAD; SSTORE',
    'PUSH 77; PUSH 32; PUSH 32; LOG1; PUSH 64; PUSH 0; RETURN',
  ),
  [REVERTER]: assemble('PUSH 9; PUSH 0; MSTORE; PUSH 32; PUSH 0; REVERT'),
  ...Object.fromEntries(SYSTEM_CONTRACTS.map(({ address, code }) => [address, code])),
};

/** Creation code of a contract whose code is a single STOP. */
const INIT_CODE = '0x600060005360016000f3';
const GWEI = 10n ** 9n;
const CHAIN_ID = 7357n;
const BLOCK_SECONDS = 10;

const GENESIS = {
  config: {
    chainId: Number(CHAIN_ID),
    homesteadBlock: 0,
    eip150Block: 0,
    eip155Block: 0,
    eip158Block: 0,
    byzantiumBlock: 0,
    constantinopleBlock: 0,
    petersburgBlock: 0,
    istanbulBlock: 0,
    berlinBlock: 0,
    londonBlock: 2,
    mergeNetsplitBlock: 3,
    terminalTotalDifficulty: 0x60000,
    shanghaiTime: 40,
    cancunTime: 50,
    pragueTime: 60,
    osakaTime: 70,
    depositContractAddress: `0x${'00'.repeat(20)}`,
    ethash: {},
    blobSchedule: {
      cancun: { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 },
      prague: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 },
      osaka: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 },
    },
  },
  nonce: '0x0',
  timestamp: '0x0',
  extraData: '0x6f776e',
  gasLimit: '0x1c9c380',
  difficulty: '0x20000',
  mixHash: `0x${'00'.repeat(32)}`,
  coinbase: `0x${'00'.repeat(20)}`,
  alloc: {
    ...Object.fromEntries([SENDER, OTHER].map((address) => [address, { balance: `0x${(10n ** 21n).toString(16)}` }])),
    ...Object.fromEntries(Object.entries(CODES).map(([address, code]) => [address, { balance: '0x0', code }])),
  },
};

/** Accounts and slots that are recorded after every block. */
const WATCHED = [SENDER, OTHER, AUTHORITY, STORE, REVERTER, VALIDATOR, RECEIVER, COINBASE];
const SLOTS_WATCHED = 8;

/** An account after a block according to the library; quantities and words as in JSON-RPC. */
export interface OwnAccount {
  readonly nonce: string;
  readonly balance: string;
  readonly code: string;
  readonly slots: readonly string[];
}

/** A block, and the accounts after it by address. */
export interface OwnBlock {
  readonly number: number;
  readonly hash: string;
  readonly rlp: Uint8Array;
  readonly transactions: readonly TypedTransaction[];
  readonly accounts: ReadonlyMap<string, OwnAccount>;
}

/** A call on the last block with the library's results: the gas that the transaction uses, and what it returns. */
export interface OwnCall {
  readonly from: string;
  readonly to: string;
  readonly data: string;
  readonly gas: string;
  readonly output: string;
}

export interface OwnChain {
  readonly genesisFile: string;
  readonly chainFile: string;
  /** The first one is the genesis block. */
  readonly blocks: readonly OwnBlock[];
  readonly calls: readonly OwnCall[];
}

type Fields = Readonly<Record<string, unknown>>;

const quantity = (value: bigint | number): string => `0x${value.toString(16)}`;
const word = (value: number): string => value.toString(16).padStart(64, '0');
const store = (slot: number, value: number): string => `0x${word(slot)}${word(value)}`;

/**
 * Transactions of each block: the sender as an index into `KEYS`, the type, and the fields without nonce and chain id.
 */
const PLANS: readonly (readonly (readonly [key: number, type: number, fields: Fields])[])[] = [
  [
    [0, 0, { to: RECEIVER, value: 5n, gasPrice: 20n * GWEI }],
    [0, 0, { to: STORE, data: store(1, 7), gasPrice: 20n * GWEI }],
    [
      1,
      1,
      {
        to: STORE,
        data: store(2, 8),
        gasPrice: 20n * GWEI,
        accessList: [{ address: STORE, storageKeys: [`0x${word(2)}`] }],
      },
    ],
  ],
  [
    [0, 2, { to: STORE, data: store(1, 9) }],
    [1, 2, { data: INIT_CODE }],
  ],
  [
    [0, 2, { to: REVERTER }],
    [1, 0, { to: STORE, data: store(3, 1), gasPrice: 20n * GWEI }],
  ],
  [[0, 2, { to: STORE, data: store(1, 0) }]],
  [[1, 3, { to: RECEIVER, value: 3n, maxFeePerBlobGas: GWEI, blobVersionedHashes: [`0x01${'b1'.repeat(31)}`] }]],
  [[0, 4, { to: STORE, data: store(4, 4) }]],
  [
    [1, 2, { to: AUTHORITY, data: store(5, 6), value: 11n }],
    [0, 1, { to: STORE, data: store(4, 5), gasPrice: 20n * GWEI }],
  ],
  [],
];

/** Builds the chain; the library needs a few seconds. */
export async function makeOwnChain(): Promise<OwnChain> {
  const genesisFile = temporaryFile('genesis.json', JSON.stringify(GENESIS));
  const builder = await Builder.create();
  for (const [index, plan] of PLANS.entries()) await builder.add(index + 1, plan);
  const { blocks } = builder;
  const chainFile = temporaryFile('chain.rlp', Buffer.concat(blocks.slice(1).map(({ rlp }) => rlp)));
  return { genesisFile, chainFile, blocks, calls: await builder.calls() };
}

/** The chain's rules for the library, which would otherwise place the merge by total difficulty. */
function ownCommon(): Common {
  const json = structuredClone(GENESIS) as unknown as GethGenesis;
  Reflect.deleteProperty(json.config, 'blobSchedule');
  const common = createCommonFromGethGenesis(json, { chain: 'own', customCrypto: { kzg: REFERENCE_KZG } });
  for (const fork of common.hardforks())
    if (fork.name === 'paris' || fork.name === 'mergeNetsplitBlock') Object.assign(fork, { block: 3 });
  return common;
}

/** Builds one block after the other and records the state after each. */
class Builder {
  readonly blocks: OwnBlock[] = [];
  readonly #vm: VM;
  readonly #common: Common;
  readonly #state: MerkleStateManager;
  readonly #nonces = [0n, 0n];
  #tip: Block;

  private constructor(vm: VM, common: Common, state: MerkleStateManager, genesis: Block) {
    this.#vm = vm;
    this.#common = common;
    this.#state = state;
    this.#tip = genesis;
  }

  static async create(): Promise<Builder> {
    const common = ownCommon();
    common.setHardforkBy({ blockNumber: 0n, timestamp: 0n });
    const stateManager = new MerkleStateManager({ common });
    await stateManager.generateCanonicalGenesis(
      parseGethGenesisState(structuredClone(GENESIS) as unknown as GethGenesis),
    );
    const known = new Map<number, Block>();
    const blockchain = {
      getBlock: (number: number) => Promise.resolve(known.get(number)!),
      putBlock: () => Promise.resolve(),
      shallowCopy: () => blockchain,
    };
    const evm = await createEVM({ common, stateManager, blockchain });
    const vm = await createVM({ common, stateManager, blockchain, evm, setHardfork: true });
    const { nonce, extraData, gasLimit, difficulty, mixHash, coinbase } = GENESIS;
    const header = { nonce: `${nonce}${'0'.repeat(15)}`, extraData, gasLimit, difficulty, mixHash, coinbase };
    const genesis = createBlock(
      { header: { ...header, number: 0, timestamp: 0, stateRoot: await stateManager.getStateRoot() } as never },
      { common, skipConsensusFormatValidation: true },
    );
    const builder = new Builder(vm, common, stateManager, genesis);
    await builder.#note(genesis);
    return builder;
  }

  async add(number: number, plan: (typeof PLANS)[number]): Promise<void> {
    const timestamp = number * BLOCK_SECONDS;
    this.#common.setHardforkBy({ blockNumber: BigInt(number), timestamp: BigInt(timestamp) });
    const isMerged = this.#common.gteHardfork('paris');
    const block = await buildBlock(this.#vm, {
      parentBlock: this.#tip,
      headerData: {
        timestamp,
        coinbase: COINBASE as never,
        // EIP-1559: the first London block doubles the gas limit, so that the target stays the same.
        gasLimit: this.#tip.header.gasLimit * (number === GENESIS.config.londonBlock ? 2n : 1n),
        ...(isMerged ? { mixHash: new Uint8Array(32).fill(number) } : {}),
        ...(this.#common.isActivatedEIP(4788) ? { parentBeaconBlockRoot: new Uint8Array(32).fill(0xbe) } : {}),
      },
      ...(this.#common.isActivatedEIP(4895) ? { withdrawals: withdrawalsOf(number) } : {}),
      blockOpts: {
        putBlockIntoBlockchain: false,
        skipConsensusFormatValidation: true,
        ...(isMerged ? {} : { calcDifficultyFromHeader: this.#tip.header }),
      },
    });
    for (const [key, type, fields] of plan) {
      await block.addTransaction(this.#sign(key, type, fields), { allowNoBlobs: true });
    }
    const built = await block.build();
    this.#tip = built.block;
    await this.#note(built.block);
  }

  /** Calls that change no existing slot, so that the gas they use is also the least they need. */
  async calls(): Promise<OwnCall[]> {
    const requested = [
      { to: RECEIVER, data: '0x' },
      { to: STORE, data: store(7, 7) },
      { to: AUTHORITY, data: store(1, 2) },
    ];
    const calls: OwnCall[] = [];
    for (const { to, data } of requested) {
      await this.#state.checkpoint();
      const tx = this.#sign(0, 2, { to, data });
      const { totalGasSpent, execResult } = await runTx(this.#vm, { tx, block: this.#tip });
      this.#nonces[0]!--;
      await this.#state.revert();
      const output = bytesToHex(execResult.returnValue);
      calls.push({ from: SENDER, to, data, gas: quantity(totalGasSpent), output });
    }
    return calls;
  }

  #sign(key: number, type: number, fields: Fields): TypedTransaction {
    const fees = type < 2 ? {} : { maxFeePerGas: 20n * GWEI, maxPriorityFeePerGas: GWEI };
    const authorizationList = [
      eoaCode7702SignAuthorization(
        { chainId: quantity(CHAIN_ID) as never, address: STORE as never, nonce: '0x0' },
        AUTHORITY_KEY,
      ),
    ];
    const data = {
      type,
      ...(type === 0 ? {} : { chainId: CHAIN_ID }),
      nonce: this.#nonces[key]!++,
      gasLimit: 200_000n,
      ...fees,
      ...(type === 4 ? { authorizationList } : {}),
      ...fields,
    };
    return createTx(data as never, { common: this.#common }).sign(KEYS[key]!);
  }

  async #note(block: Block): Promise<void> {
    const accounts = new Map<string, OwnAccount>();
    for (const address of WATCHED) accounts.set(address, await this.#account(address));
    const { header, transactions } = block;
    const [number, hash] = [Number(header.number), bytesToHex(block.hash())];
    this.blocks.push({ number, hash, rlp: block.serialize(), transactions, accounts });
  }

  async #account(text: string): Promise<OwnAccount> {
    const address = createAddressFromString(text);
    const account = await this.#state.getAccount(address);
    const slots: string[] = [];
    for (let slot = 0; slot < SLOTS_WATCHED; slot++) {
      const value = await this.#state.getStorage(address, Buffer.from(word(slot), 'hex'));
      slots.push(`0x${Buffer.from(value).toString('hex').padStart(64, '0')}`);
    }
    const code = bytesToHex(await this.#state.getCode(address));
    return { nonce: quantity(account?.nonce ?? 0n), balance: quantity(account?.balance ?? 0n), code, slots };
  }
}

function withdrawalsOf(number: number): { index: number; validatorIndex: number; address: never; amount: number }[] {
  if (number % 4 !== 0) return [];
  return [{ index: number, validatorIndex: 3, address: VALIDATOR as never, amount: 1000 + number }];
}
