// The format of official tests (execution-spec-tests, ethereum/tests), as far as it is used, and of their results. Runs
// on the main thread and the workers of the command.

/** State by address, in a test's format. Hex with or without 0x. */
export type Alloc = Readonly<
  Record<
    string,
    {
      readonly balance: string;
      readonly code: string;
      readonly nonce: string;
      readonly storage: Record<string, string>;
    }
  >
>;

/** A test's chain; `blobSchedule` by fork, such as `Cancun`. */
export interface Config {
  readonly chainid?: string;
  readonly blobSchedule?: Readonly<Record<string, unknown>>;
}

/** One transaction on one state, at several forks: GeneralStateTests, `fixtures/state_tests`. */
export interface StateTest {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pre: Alloc;
  readonly transaction: TransactionTemplate;
  readonly post: Readonly<Record<string, readonly PostState[]>>;
  readonly config?: Config;
}

/** Transactions that differ in data, gas and value; a post state selects one. */
export interface TransactionTemplate {
  readonly data: readonly string[];
  readonly gasLimit: readonly string[];
  readonly value: readonly string[];
  readonly accessLists?: readonly (readonly unknown[] | null)[];
  readonly authorizationList?: readonly Readonly<Record<string, string>>[];
  readonly secretKey: string;
  readonly to?: string;
  readonly [field: string]: unknown;
}

/** The expected state after one of the transactions: roots, or that it is rejected. */
export interface PostState {
  readonly hash: string;
  readonly logs: string;
  readonly indexes: { readonly data: number; readonly gas: number; readonly value: number };
  readonly txbytes?: string;
  readonly expectException?: string | null;
}

/** A chain of blocks, some of them invalid: BlockchainTests, `fixtures/blockchain_tests`. */
export interface BlockchainTest {
  readonly network: string;
  readonly config?: Config;
  readonly pre: Alloc;
  readonly genesisBlockHeader: Readonly<Record<string, string>>;
  readonly blocks: readonly TestBlock[];
  readonly lastblockhash: string;
  readonly postState?: Alloc | null;
}

/** `expectException`, also under longer names: the block must be rejected. */
export interface TestBlock {
  readonly rlp: string;
  readonly [field: string]: unknown;
}

/** Verdict of one engine, or of all, on a test. `reason`: why it failed or was skipped. */
export type Verdict =
  | { readonly status: 'passed' }
  | { readonly status: 'failed'; readonly reason: string }
  | { readonly status: 'skipped'; readonly reason: string };

/** A test that was run: `fork` is the network; for transitions, both forks. */
export interface Result {
  readonly name: string;
  readonly fork: string;
  readonly verdict: Verdict;
}

export const PASSED: Verdict = { status: 'passed' };

export function failed(reason: string): Verdict {
  return { status: 'failed', reason };
}

export function skipped(reason: string): Verdict {
  return { status: 'skipped', reason };
}

export function isStateTest(test: object): test is StateTest {
  return 'post' in test && 'transaction' in test && 'pre' in test;
}

export function isBlockchainTest(test: object): test is BlockchainTest {
  return 'blocks' in test && 'genesisBlockHeader' in test && 'pre' in test;
}

/** Hex with a prefix, which older tests omit. */
export function prefixed(hex: string): string {
  return hex.startsWith('0x') ? hex : `0x${hex}`;
}
