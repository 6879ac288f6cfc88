// Parses a genesis file in go-ethereum's format into the chain's description, block 0 and the state of block 0.
import { StartError } from '../../lib/start-error.js';
import type { CompleteBlock, ChainHead } from '../../state/complete-block.js';
import type { AccountChange, CodeChange, SlotChange, StateDiff } from '../../state/state-diff.js';
import { EMPTY_CODE_HASH } from '../../state/views/state-view.js';
import type {
  BlobSchedule,
  ChainDescription,
  ParsedChainFile,
  ForkActivation,
  OpChain,
  OpForkTimes,
  UnknownFork,
} from '../../chain/chain-description.js';
import { EMPTY_BLOCK_ACCESS_LIST_RLP } from '../../chain/block/block-access-list.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import { ConfigJsonReader } from '../../chain/config-json-reader.js';
import { EMPTY_REQUESTS_HASH } from '../../chain/block/execution-requests.js';
import { INITIAL_BASE_FEE, positionAfterBlock, type Header } from '../../chain/block/header.js';
import { firstUnknownFork } from '../../chain/active-forks.js';
import { FORKS, type ForkRow, OP_FORK_NAMES } from '../../chain/forks.table.js';
import { checkOpForkOrder } from '../../chain/op/forks.js';
import { createChainRules } from '../../evm/reference/fork-rules.js';
import { StateTrie } from '../../chain/state-root.js';
import { EMPTY_TRIE_ROOT } from '../../chain/trie.js';
import { sealBlock } from './seal-block.js';
import { ZERO_WORD } from '../../lib/bytes/big-endian.js';
import { errorMessage } from '../../lib/error-message.js';

export interface Genesis {
  readonly chain: ChainDescription;
  readonly head: ChainHead;
  readonly header: Header;
  readonly block: CompleteBlock;
  /** Block 0 and its state. All block tags (latest, safe, finalized) refer to it. */
  readonly diff: StateDiff;
}

/** Forks that have a key in the file's `config`, activated by a block number or by a timestamp. */
const KEYED = FORKS.filter((fork): fork is ForkRow & { readonly genesisKey: string } => fork.genesisKey !== null);
const [BLOCK_FORKS, TIME_FORKS] = ['Block', 'Time'].map((kind) => {
  return KEYED.filter(({ genesisKey }) => genesisKey.endsWith(kind));
}) as [typeof KEYED, typeof KEYED];

/** Keys of `config` that are known but not in `FORKS`: their forks need no code, or are read separately. */
const OTHER_STARTS = ['eip155Block', 'daoForkBlock', 'mergeNetsplitBlock'];
const OP_STARTS = [
  'bedrockBlock',
  'regolithTime',
  'canyonTime',
  'deltaTime',
  ...OP_FORK_NAMES.map((fork) => `${fork}Time`),
];

/** Largest timestamp, which is a uint64. */
const TIMESTAMP_MAX = 2n ** 64n - 1n;
const GAS_LIMIT_DEFAULT = 4_712_388n;

/**
 * Parses a genesis file. `file` is its name for messages. Throws a StartError with this name and the reason if it is
 * not a genesis file, or needs rules that are not implemented.
 */
export function parseGenesis(file: string, text: string): Genesis {
  return usable(file, () => {
    const fields = ConfigJsonReader.parse(text);
    const { chain, unknown } = readChain(fields.object('config'));
    if (unknown !== null) throw new Error(`config.${unknown.key}: a fork that is not known here`);
    return genesis(chain, fields);
  });
}

/**
 * Parses only the chain's description, including the names of unknown forks, but not the state. Throws StartError too.
 */
export function parseGenesisConfig(file: string, text: string): ParsedChainFile {
  return usable(file, () => readChain(ConfigJsonReader.parse(text).object('config')));
}

function usable<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const reason = errorMessage(error);
    throw new StartError(`${file} is not a usable genesis file: ${reason}`, 2);
  }
}

function genesis(chain: ChainDescription, fields: ConfigJsonReader): Genesis {
  const state = readState(fields.object('alloc'));
  const trie = new StateTrie();
  trie.apply(state);
  const { block, header } = readBlock(chain, fields, trie);
  const { number, hash } = block;
  const heads = { latest: 0, safe: 0, finalized: 0 };
  return {
    chain,
    head: { number, hash, header: block.header },
    header,
    block,
    diff: { ...positionAfterBlock(header, hash), heads, ...state },
  };
}

function readChain(config: ConfigJsonReader): ParsedChainFile {
  if (config.isTrue('daoForkSupport')) throw new Error('config.daoForkSupport: the DAO fork is not supported');
  const chain = {
    chainId: config.number('chainId'),
    forks: [...blockForks(config), ...timeForks(config)],
    blobSchedule: readBlobSchedule(config),
    depositContract: config.optionalBytes('depositContractAddress', 20),
    transactionGasCap: true,
    op: readOpChain(config),
  };
  createChainRules(chain).at(0, 0);
  return { chain, unknown: unknownFork(config) };
}

function unknownFork(config: ConfigJsonReader): UnknownFork | null {
  const isOp = config.optionalObject('optimism') !== null;
  const known = KEYED.map(({ genesisKey }) => genesisKey).concat(OTHER_STARTS, isOp ? OP_STARTS : []);
  return firstUnknownFork(config, /(Block|Time)$/, known);
}

/**
 * Reads op-geth's form of the config: `config.optimism` marks an OP-Stack chain, and `ecotoneTime` etc. are the start
 * times of its forks.
 */
function readOpChain(config: ConfigJsonReader): OpChain | null {
  const fees = config.optionalObject('optimism');
  if (fees === null) return null;
  const times = OP_FORK_NAMES.map((fork) => [fork, config.optionalInteger(`${fork}Time`)]);
  const op = {
    ...(Object.fromEntries(times) as unknown as OpForkTimes),
    elasticity: fees.integer('eip1559Elasticity'),
    denominator: fees.optionalInteger('eip1559DenominatorCanyon') ?? fees.integer('eip1559Denominator'),
  };
  checkOpForkOrder(op);
  return op;
}

/**
 * Returns the timestamp at which an Ethereum fork starts as part of an OP-Stack fork (as Shanghai with Canyon);
 * `brought` are the OP-Stack forks that include it. Used if the file does not name the Ethereum fork.
 */
function opTime(config: ConfigJsonReader, brought: ForkRow['op'] = []): number | null {
  if (config.optionalObject('optimism') === null) return null;
  for (const name of brought) {
    const timestamp = config.optionalInteger(`${name}Time`);
    if (timestamp !== null) return timestamp;
  }
  return null;
}

/**
 * Returns the forks that start at block numbers, with the merge last. If two start at the same block, the later fork
 * comes last.
 */
function blockForks(config: ConfigJsonReader): ForkActivation[] {
  const forks: ForkActivation[] = [{ name: 'chainstart', block: 0, timestamp: null }];
  for (const { genesisKey: key, name } of BLOCK_FORKS) {
    const block = config.optionalInteger(key);
    if (block !== null) add(forks, { name, block, timestamp: null }, key);
  }
  const merge = mergeBlock(config);
  if (merge !== null) add(forks, { name: 'paris', block: merge, timestamp: null }, 'mergeNetsplitBlock');
  return forks;
}

function timeForks(config: ConfigJsonReader): ForkActivation[] {
  const forks: ForkActivation[] = [];
  for (const { genesisKey: key, name, op } of TIME_FORKS) {
    const timestamp = config.optionalInteger(key) ?? opTime(config, op);
    if (timestamp !== null) add(forks, { name, block: null, timestamp }, key);
  }
  return forks;
}

function add(forks: ForkActivation[], fork: ForkActivation, key: string): void {
  const last = forks.at(-1);
  if (last !== undefined && start(fork) < start(last))
    throw new Error(`config.${key}: ${fork.name} comes before ${last.name}`);
  forks.push(fork);
}

function start(fork: ForkActivation): number {
  return fork.block ?? fork.timestamp ?? 0;
}

/**
 * Returns the block of the merge. The merge happens at a total difficulty, whose block the file does not contain. So
 * this uses `mergeNetsplitBlock`, or block 0 if the terminal total difficulty is zero.
 */
function mergeBlock(config: ConfigJsonReader): number | null {
  const block = config.optionalInteger('mergeNetsplitBlock');
  const difficulty = config.optionalNumber('terminalTotalDifficulty');
  if (difficulty === 0n) return 0;
  if (block === null && TIME_FORKS.some(({ genesisKey }) => config.optionalInteger(genesisKey) !== null))
    throw new Error('config.mergeNetsplitBlock: needed for a chain that merges at a total difficulty above 0');
  return block;
}

function readBlobSchedule(config: ConfigJsonReader): Record<string, BlobSchedule> {
  const schedule = config.optionalObject('blobSchedule');
  return Object.fromEntries(
    (schedule?.names() ?? []).map((name) => {
      const row = schedule!.object(name);
      const [target, max] = [row.integer('target'), row.integer('max')];
      return [name, { target, max, baseFeeUpdateFraction: row.integer('baseFeeUpdateFraction') }];
    }),
  );
}

function readBlock(
  chain: ChainDescription,
  fields: ConfigJsonReader,
  trie: StateTrie,
): Pick<Genesis, 'block' | 'header'> {
  const timestamp = fields.optionalNumber('timestamp') ?? 0n;
  if (timestamp > TIMESTAMP_MAX) throw new Error('timestamp: too large');
  const rules = createChainRules(chain).at(0, timestamp);
  const number = fields.optionalInteger('number') ?? 0;
  if (number !== 0) throw new Error(`number: a genesis block has number 0, not ${number}`);
  const { common } = rules;
  const blobs = common.isActivatedEIP(4844);
  const wordOf = (name: string): Uint8Array => fields.optionalBytes(name, 32) ?? ZERO_WORD;
  const env = {
    number,
    timestamp,
    gasLimit: fields.optionalNumber('gasLimit') || GAS_LIMIT_DEFAULT,
    baseFeePerGas: common.isActivatedEIP(1559) ? (fields.optionalNumber('baseFeePerGas') ?? INITIAL_BASE_FEE) : 0n,
    coinbase: fields.optionalBytes('coinbase', 20) ?? new Uint8Array(20),
    prevRandao: ZERO_WORD,
    difficulty: fields.optionalNumber('difficulty') ?? 0n,
    excessBlobGas: blobs ? (fields.optionalNumber('excessBlobGas') ?? 0n) : 0n,
    parentBeaconBlockRoot: blobs ? wordOf('parentBeaconBlockRoot') : ZERO_WORD,
    ...(common.isActivatedEIP(7843) ? { slotNumber: fields.optionalNumber('slotNumber') ?? 0n } : {}),
  };
  const plan = {
    env,
    parentHash: wordOf('parentHash'),
    extraData: fields.optionalBytes('extraData', null) ?? new Uint8Array(0),
    withdrawals: common.isActivatedEIP(4895) ? [] : null,
    work: { mixHash: wordOf('mixHash'), nonce: fields.optionalWord('nonce', 8) ?? new Uint8Array(8), uncles: [] },
  };
  return sealBlock(plan, rules, trie, {
    transactions: [],
    receiptsRoot: EMPTY_TRIE_ROOT,
    gasUsed: fields.optionalNumber('gasUsed') ?? 0n,
    blobGasUsed: blobs ? (fields.optionalNumber('blobGasUsed') ?? 0n) : 0n,
    requests: common.isActivatedEIP(7685) ? EMPTY_REQUESTS_HASH : null,
    accessList: common.isActivatedEIP(7928) ? EMPTY_BLOCK_ACCESS_LIST_RLP : null,
  });
}

type State = Pick<StateDiff, 'accounts' | 'slots' | 'codes'>;

function readState(alloc: ConfigJsonReader): State {
  const accounts: AccountChange[] = [];
  const slots: SlotChange[] = [];
  const codes = new Map<string, CodeChange>();
  for (const name of alloc.names()) {
    const fields = alloc.object(name);
    const address = alloc.nameAsBytes(name, 20);
    const bytes = fields.optionalBytes('code', null) ?? new Uint8Array(0);
    const codeHash = bytes.length === 0 ? EMPTY_CODE_HASH : keccak256(bytes);
    if (bytes.length > 0) codes.set(Buffer.from(codeHash).toString('hex'), { hash: codeHash, bytes });
    const [nonce, balance] = [fields.optionalNumber('nonce') ?? 0n, fields.optionalNumber('balance') ?? 0n];
    accounts.push({ address, account: { nonce, balance, codeHash } });
    for (const slot of readSlots(address, fields.optionalObject('storage'))) slots.push(slot);
  }
  return { accounts, slots, codes: [...codes.values()] };
}

function readSlots(address: Uint8Array, storage: ConfigJsonReader | null): SlotChange[] {
  const slots = (storage?.names() ?? []).map((name) => ({
    address,
    slot: storage!.nameAsWord(name),
    value: storage!.optionalWord(name, 32) ?? new Uint8Array(32),
  }));
  return slots.filter(({ value }) => value.some((byte) => byte !== 0));
}
