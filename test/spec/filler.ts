// Generates a small set of tests in the official format, from our random worlds and blocks. The expected results are
// those of @ethereumjs/vm on its own state manager.
import { createBlock, type Block } from '@ethereumjs/block';
import { Common, createCustomCommon, Mainnet } from '@ethereumjs/common';
import { createEVM } from '@ethereumjs/evm';
import { RLP, type NestedUint8Array } from '@ethereumjs/rlp';
import { MerkleStateManager } from '@ethereumjs/statemanager';
import { createTx, type TypedTransaction } from '@ethereumjs/tx';
import { Account, createAddressFromPrivateKey, createAddressFromString } from '@ethereumjs/util';
import { buildBlock, createVM, runTx, type VM } from '@ethereumjs/vm';
import { CUSTOM_CRYPTO } from '../../src/evm/ethereumjs-custom-crypto.js';
import { SYSTEM_CONTRACTS } from '../../src/feed/dev/system-contract-code.js';
import { fromHex, toHex, toQuantity } from '../../src/lib/bytes/hex.js';
import { keccak256 } from '../../src/lib/bytes/keccak-wasm.js';
import { encodeRlp } from '../../src/lib/bytes/encode-rlp.js';
import { toBytes } from '../../src/lib/bytes/big-endian.js';
import { link } from '../support/programs/code.js';
import { createWorld, type World } from '../support/programs/world.js';
import type { Alloc, BlockchainTest, StateTest } from './fixture.js';

const KEY = keccak256(Uint8Array.of(0x5e));
const SENDER = createAddressFromPrivateKey(KEY).toString();
const COINBASE = `0x${'cb'.repeat(20)}`;
const GAS_LIMIT = 30_000_000n;
const ETHER = 10n ** 18n;
/** A fork's name in the tests. */
const network = (fork: string): string => fork[0]!.toUpperCase() + fork.slice(1);

/** A state test of the world of a seed, with its message as a transaction. `null`: the library rejects it. */
export async function fillStateTest(seed: bigint): Promise<StateTest | null> {
  const world = createWorld(seed);
  const common = commonOf(world.fork);
  const pre = { ...allocOf(world), [SENDER]: account(1000n * ETHER) };
  const transaction = transactionOf(world);
  const tx = createTx({ ...single(transaction), type: 1, chainId: 1n }, { common }).sign(KEY);
  const { env } = world.context;
  const block = createBlock({ header: headerOf(world) }, { common, skipConsensusFormatValidation: true });
  const vm = await vmOn(common, pre);
  const ran = await runTx(vm, { tx, block, skipHardForkValidation: true }).catch(() => null);
  if (ran === null) return null;
  const post = {
    hash: toHex(await vm.stateManager.getStateRoot()),
    logs: toHex(keccak256(encodeRlp(ran.execResult.logs ?? []))),
    indexes: { data: 0, gas: 0, value: 0 },
    // Half of them are signed by the test runner.
    ...(seed % 2n === 0n ? { txbytes: toHex(tx.serialize()) } : {}),
  };
  return {
    env: {
      currentCoinbase: COINBASE,
      currentNumber: toQuantity(env.number),
      currentTimestamp: toQuantity(env.timestamp),
      currentGasLimit: toQuantity(GAS_LIMIT),
      currentBaseFee: toQuantity(env.baseFeePerGas),
      currentRandom: toHex(env.prevRandao),
      currentExcessBlobGas: '0x0',
    },
    pre,
    transaction,
    post: { [network(world.fork)]: [post] },
    config: { chainid: '0x01' },
  };
}

/** A chain of two blocks at one fork, and between them an invalid block with a wrong state root. */
export async function fillBlockchainTest(fork: string): Promise<BlockchainTest> {
  const common = commonOf(fork);
  const pre: Alloc = {
    [SENDER]: account(1000n * ETHER),
    ...Object.fromEntries(
      SYSTEM_CONTRACTS.map(({ address, code }) => [address, { ...account(0n), nonce: '0x1', code }]),
    ),
  };
  const vm = await vmOn(common, pre);
  const stateRoot = await vm.stateManager.getStateRoot();
  const header = {
    gasLimit: GAS_LIMIT,
    number: 0n,
    stateRoot,
    ...(common.gteHardfork('london') ? { baseFeePerGas: 7n } : {}),
  };
  const genesis = createBlock({ header }, { common, skipConsensusFormatValidation: true });
  const first = await build(vm, genesis, 0n);
  const second = await build(vm, first, 1n);
  return {
    network: network(fork),
    config: { chainid: '0x01' },
    pre,
    genesisBlockHeader: { ...(genesis.header.toJSON() as Record<string, string>), hash: toHex(genesis.hash()) },
    blocks: [
      { rlp: toHex(first.serialize()) },
      { rlp: toHex(withOtherRoot(second)), expectException: 'BlockException.INVALID_STATE_ROOT' },
      { rlp: toHex(second.serialize()) },
    ],
    lastblockhash: toHex(second.hash()),
  };
}

async function build(vm: VM, parent: Block, nonce: bigint): Promise<Block> {
  const { common } = vm;
  const number = Number(parent.header.number) + 1;
  const builder = await buildBlock(vm, {
    parentBlock: parent,
    headerData: {
      timestamp: 12 * number,
      gasLimit: parent.header.gasLimit,
      coinbase: COINBASE as never,
      mixHash: new Uint8Array(32).fill(number),
      ...(common.isActivatedEIP(4788) ? { parentBeaconBlockRoot: new Uint8Array(32).fill(0xbe) } : {}),
    },
    ...(common.isActivatedEIP(4895) ? { withdrawals: [] } : {}),
    blockOpts: { putBlockIntoBlockchain: false, skipConsensusFormatValidation: true },
  });
  for (const tx of [transfer(common, 2n * nonce), creation(common, 2n * nonce + 1n)]) await builder.addTransaction(tx);
  return (await builder.build()).block;
}

function transfer(common: Common, nonce: bigint): TypedTransaction {
  const to = createAddressFromString(`0x${'77'.repeat(20)}`);
  return createTx({ nonce, gasPrice: 100n, gasLimit: 21_000n, to, value: 5n }, { common }).sign(KEY);
}

/** A contract that stores the block's number. */
function creation(common: Common, nonce: bigint): TypedTransaction {
  return createTx({ nonce, gasPrice: 100n, gasLimit: 200_000n, data: '0x43600055' }, { common }).sign(KEY);
}

function withOtherRoot(block: Block): Uint8Array {
  const [header, ...body] = RLP.decode(block.serialize()) as NestedUint8Array;
  return RLP.encode([(header as Uint8Array[]).with(3, new Uint8Array(32).fill(1)), ...body]);
}

function commonOf(fork: string): Common {
  const all = Mainnet.hardforks.map(({ name }) => ({ name, block: 0 }));
  const hardforks = all.slice(0, all.findIndex(({ name }) => name === fork) + 1);
  const chain = { chainId: 1, hardforks, defaultHardfork: fork, consensus: { type: 'pos', algorithm: 'casper' } };
  return createCustomCommon(chain, Mainnet, { hardfork: fork, customCrypto: CUSTOM_CRYPTO });
}

async function vmOn(common: Common, pre: Alloc): Promise<VM> {
  const stateManager = new MerkleStateManager({ common });
  await stateManager.checkpoint();
  for (const [text, { balance, nonce, code, storage }] of Object.entries(pre)) {
    const address = createAddressFromString(text);
    await stateManager.putAccount(address, new Account(BigInt(nonce), BigInt(balance)));
    if (code !== '0x') await stateManager.putCode(address, fromHex(code));
    for (const [slot, value] of Object.entries(storage))
      await stateManager.putStorage(address, toBytes(BigInt(slot), 32), trimmed(fromHex(value)));
  }
  await stateManager.commit();
  // The hash of a block is the hash of its number as text.
  const blockchain = {
    getBlock: (number: number) => Promise.resolve({ hash: () => keccak256(Buffer.from(String(number))) }),
    putBlock: () => Promise.resolve(),
    shallowCopy: () => blockchain,
  };
  const evm = await createEVM({ common, stateManager, blockchain });
  return createVM({ common, stateManager, blockchain, evm });
}

function trimmed(value: Uint8Array): Uint8Array {
  const first = value.findIndex((byte) => byte !== 0);
  return first < 0 ? new Uint8Array(0) : value.subarray(first);
}

function account(balance: bigint): Alloc[string] {
  return { balance: toQuantity(balance), nonce: '0x0', code: '0x', storage: {} };
}

/** The world's accounts, without empty slots. */
function allocOf({ accounts }: World): Alloc {
  return Object.fromEntries(
    accounts.map(({ address, balance, nonce, code, storage }) => [
      toHex(address),
      {
        balance: toQuantity(balance),
        nonce: toQuantity(nonce),
        code: toHex(link(code)),
        storage: Object.fromEntries(
          [...storage].filter(([, value]) => value !== 0n).map(([slot, value]) => [toQuantity(slot), word(value)]),
        ),
      },
    ]),
  );
}

function word(value: bigint): string {
  return toHex(toBytes(value, 32));
}

function transactionOf({ message, gasLimit, context }: World): StateTest['transaction'] {
  const accessList = message.accessList.map(({ address, slots }) => ({
    address: toHex(address),
    storageKeys: slots.map((slot) => toHex(slot)),
  }));
  const limit = gasLimit + 200_000n;
  return {
    data: [toHex(message.data)],
    gasLimit: [toQuantity(limit < 16_000_000n ? limit : 16_000_000n)],
    value: [toQuantity(message.value % ETHER)],
    accessLists: [accessList],
    gasPrice: toQuantity(context.env.baseFeePerGas + 10n),
    nonce: '0x0',
    to: message.to === null ? '' : toHex(message.to),
    sender: SENDER,
    secretKey: toHex(KEY),
  };
}

/** The single transaction of a template, in the library's format. */
function single({ data, gasLimit, value, accessLists, gasPrice, nonce, to }: StateTest['transaction']): object {
  return {
    data: data[0],
    gasLimit: gasLimit[0],
    value: value[0],
    accessList: accessLists![0],
    gasPrice,
    nonce,
    ...(to === '' ? {} : { to }),
  };
}

function headerOf({ context: { env } }: World): object {
  return {
    number: env.number,
    timestamp: env.timestamp,
    gasLimit: GAS_LIMIT,
    coinbase: COINBASE,
    mixHash: env.prevRandao,
    baseFeePerGas: env.baseFeePerGas,
    difficulty: 0n,
  };
}
