// State tests through the product's own state transition: decode, validate, execute, and compare the resulting roots.
import { createTx } from '@ethereumjs/tx';
import type { ChainDescription } from '../../src/chain/chain-description.js';
import { StateTrie } from '../../src/chain/state-root.js';
import { createChainRules, type ForkRules } from '../../src/evm/reference/fork-rules.js';
import { BlockGasCounter } from '../../src/execution/block/block-gas-counter.js';
import { TransactionExecutor, type TransactionExecutorDeps } from '../../src/execution/block/transaction-executor.js';
import { fromHex, toHex } from '../../src/lib/bytes/hex.js';
import { keccak256 } from '../../src/lib/bytes/keccak-wasm.js';
import { encodeRlp } from '../../src/lib/bytes/encode-rlp.js';
import { toBytes } from '../../src/lib/bytes/big-endian.js';
import type { Log } from '../../src/state/complete-block.js';
import type { BlockEnv, StateDiff } from '../../src/state/state-diff.js';
import { decodeSignedTransaction } from '../../src/transaction/signed-transaction.js';
import { parseGenesis } from '../../src/execution/block/genesis.js';
import { MemoryView } from '../support/memory-view.js';
import {
  PASSED,
  failed,
  prefixed,
  skipped,
  type Alloc,
  type PostState,
  type StateTest,
  type Verdict,
} from './fixture.js';
import { chainOf } from './networks.js';

/** Runs state tests on one engine; what a fork needs is created once. */
export class StateTests {
  readonly #deps: TransactionExecutorDeps;
  readonly #executors = new Map<string, TransactionExecutor>();

  constructor(deps: TransactionExecutorDeps) {
    this.#deps = deps;
  }

  /** Runs one expectation of a test, at one fork. */
  async run(test: StateTest, fork: string, post: PostState): Promise<Verdict> {
    const chain = chainOf(fork, test.config);
    if (typeof chain === 'string') return skipped(chain);
    const executor = this.#executor(chain);
    const env = envOf(test.env, executor, fork);
    const state = stateOf(test.pre);
    const rules = await executor.begin(env, state.view, { slotsOf: (address) => state.trie.slotsOf(address) });
    const refusal = await apply(bytesOf(test, post, rules), rules, env, executor);
    const expected = post.expectException ?? '';
    if (refusal.kind === 'refused') return expected === '' ? failed(`refused: ${refusal.reason}`) : PASSED;
    if (expected !== '') return failed(`accepted, though it is invalid: ${expected}`);
    state.trie.apply(executor.state.changes());
    return compare(toHex(state.trie.root()), logsHash(refusal.logs), post);
  }

  #executor(chain: ChainDescription): TransactionExecutor {
    const key = JSON.stringify(chain, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    let executor = this.#executors.get(key);
    if (executor === undefined) {
      executor = new TransactionExecutor(createChainRules(chain), new MemoryView(), this.#deps);
      this.#executors.set(key, executor);
    }
    return executor;
  }
}

type Outcome =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'ran'; readonly logs: readonly Log[] };

async function apply(
  raw: Uint8Array | string,
  rules: ForkRules,
  env: BlockEnv,
  executor: TransactionExecutor,
): Promise<Outcome> {
  const signed = typeof raw === 'string' ? raw : decodeSignedTransaction(raw, rules);
  if (typeof signed === 'string') return { kind: 'refused', reason: signed };
  const gas = new BlockGasCounter(env.gasLimit);
  const invalid = executor.invalid(signed, null, gas);
  if (invalid !== null) return { kind: 'refused', reason: invalid.message };
  const { logs } = await executor.run(signed, null, gas);
  return { kind: 'ran', logs };
}

function compare(root: string, logs: string, post: PostState): Verdict {
  if (root !== prefixed(post.hash)) return failed(`state root ${root}, expected ${post.hash}`);
  if (logs !== prefixed(post.logs)) return failed(`logs hash ${logs}, expected ${post.logs}`);
  return PASSED;
}

function logsHash(logs: readonly Log[]): string {
  return toHex(keccak256(encodeRlp(logs.map(({ address, topics, data }) => [address, topics, data]))));
}

/** EIP-2718 bytes, from the test or signed here; a string says why there are none. */
function bytesOf(test: StateTest, post: PostState, { common }: ForkRules): Uint8Array | string {
  const txbytes = post.txbytes ?? '';
  if (txbytes.length > 2) return fromHex(prefixed(txbytes));
  try {
    const tx = createTx(fieldsOf(test, post) as never, { common });
    return tx.sign(fromHex(prefixed(test.transaction.secretKey))).serialize();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function fieldsOf({ transaction, config }: StateTest, { indexes }: PostState): Record<string, unknown> {
  const { data, gasLimit, value, accessLists, secretKey: _, sender: __, to, ...fields } = transaction;
  const accessList = accessLists?.[indexes.data] ?? null;
  const type = typeOf(transaction, accessList !== null);
  return {
    ...fields,
    type,
    ...(type === 0 ? {} : { chainId: BigInt(prefixed(config?.chainid ?? '0x01')) }),
    ...(accessList === null ? {} : { accessList }),
    ...(to === undefined || to === '' ? {} : { to: prefixed(to) }),
    data: prefixed(data[indexes.data]!),
    gasLimit: BigInt(gasLimit[indexes.gas]!),
    value: BigInt(value[indexes.value]!),
  };
}

function typeOf(transaction: StateTest['transaction'], hasAccessList: boolean): number {
  if (transaction.authorizationList !== undefined) return 4;
  if ('maxFeePerBlobGas' in transaction) return 3;
  if ('maxFeePerGas' in transaction) return 2;
  return hasAccessList ? 1 : 0;
}

/** The hash of a block is the hash of its number as text. */
class TestView extends MemoryView {
  override blockHash(number: number): Uint8Array {
    return keccak256(Buffer.from(String(number)));
  }
}

/** The state before, as a view and as tries. */
function stateOf(pre: Alloc): { readonly view: MemoryView; readonly trie: StateTrie } {
  const diff = diffOf(pre);
  const [view, trie] = [new TestView(), new StateTrie()];
  view.apply(diff);
  trie.apply(diff);
  return { view, trie };
}

function diffOf(alloc: Alloc): StateDiff {
  return parseGenesis('pre', JSON.stringify({ config: { chainId: 1 }, alloc })).diff;
}

function envOf(env: StateTest['env'], { rules }: TransactionExecutor, fork: string): BlockEnv {
  const number = Number(quantity(env['currentNumber']));
  const timestamp = quantity(env['currentTimestamp']);
  const isMerged = rules.at(number, timestamp).common.gteHardfork('paris');
  const word = (hex: string | undefined): Uint8Array => toBytes(quantity(hex), 32);
  if (!Number.isSafeInteger(number)) throw new Error(`block ${env['currentNumber']} of ${fork} is beyond all blocks`);
  return {
    number,
    timestamp,
    gasLimit: quantity(env['currentGasLimit']),
    baseFeePerGas: rules.at(number, timestamp).common.isActivatedEIP(1559)
      ? quantity(env['currentBaseFee'] ?? '0x0a')
      : 0n,
    coinbase: fromHex(prefixed(env['currentCoinbase']!)),
    prevRandao: isMerged ? word(env['currentRandom'] ?? env['currentDifficulty']) : word('0x00'),
    difficulty: isMerged ? 0n : quantity(env['currentDifficulty']),
    excessBlobGas: quantity(env['currentExcessBlobGas']),
    parentBeaconBlockRoot: word(env['parentBeaconBlockRoot']),
  };
}

function quantity(hex: string | undefined): bigint {
  return hex === undefined || hex === '' || hex === '0x' ? 0n : BigInt(hex);
}
