// Which chain a live feed follows and by which rules: from a file, by its id, or as the node says (EIP-7910). Runs on the
// publisher.
import { readFileSync } from 'node:fs';
import type { BlobSchedule, ChainDescription, ForkActivation } from '../../chain/spec.js';
import { knownChain } from '../../chain/known.js';
import { parseGenesis } from '../../execution/block/genesis.js';
import { parseRollupConfig } from '../../chain/op/rollup-config.js';
import { fromHex } from '../../lib/hex.js';
import { StartError } from '../../start-error.js';
import { UpstreamError, type Upstream } from '../../upstream/upstream.js';
import { DEV_CHAIN } from '../dev/genesis.js';
import type { LiveOptions } from '../options.js';

type Node = Pick<Upstream, 'chainId' | 'request'>;

/** Rejects with StartError: exit code 1 where the node does not answer, 2 where the rules are not known. */
export async function describeChain(options: LiveOptions, upstream: Node): Promise<ChainDescription> {
  const chainId = await idOf(upstream);
  const chain =
    options.genesisFile === null ? await knownTo(chainId, options, upstream) : fromFile(options.genesisFile);
  if (chain.chainId !== chainId) {
    throw new StartError(
      `the upstream's chain has id ${chainId}, that of ${options.genesisFile} has ${chain.chainId}`,
      2,
    );
  }
  if (options.rules === 'op-stack' && chain.op === null) throw noRules(chainId, 'no OP-Stack rules');
  return chain;
}

async function idOf(upstream: Node): Promise<bigint> {
  try {
    return await upstream.chainId();
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    throw new StartError(`the upstream cannot be reached: ${error.message}`, 1);
  }
}

function fromFile(file: string): ChainDescription {
  const text = read(file);
  return /"l2_chain_id"/.test(text) ? parseRollupConfig(file, text) : parseGenesis(file, text).chain;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`${file} cannot be read: ${(error as Error).message}`, 2);
  }
}

async function knownTo(chainId: bigint, { rules }: LiveOptions, upstream: Node): Promise<ChainDescription> {
  const known = chainId === DEV_CHAIN.chainId ? DEV_CHAIN : knownChain(chainId);
  if (known !== null && (rules === 'auto' || (rules === 'op-stack') === (known.op !== null))) return known;
  if (rules === 'op-stack') throw noRules(chainId, 'no OP-Stack rules');
  const config = await upstream.request('eth_config', []).catch(onlyRefused);
  const chain = config === null ? null : chainOfConfig(chainId, config as ForkConfigs);
  if (chain === null) throw noRules(chainId, 'no rules, and the upstream has no eth_config');
  return chain;
}

function noRules(chainId: bigint, what: string): StartError {
  return new StartError(`${what} are known for the chain with id ${chainId}: give --genesis`, 2);
}

function onlyRefused(error: unknown): null {
  if (error instanceof UpstreamError && error.kind !== 'closed') return null;
  throw error;
}

/** EIP-7910's answer, as far as it is used. */
interface ForkConfigs {
  readonly current?: ForkConfig | null;
  readonly next?: ForkConfig | null;
}

interface ForkConfig {
  readonly activationTime: number;
  readonly blobSchedule?: BlobSchedule | null;
  readonly precompiles?: Readonly<Record<string, string>>;
  readonly systemContracts?: Readonly<Record<string, string>>;
}

/** Forks by a precompile that came with them, the newest first. */
const MARKS: readonly (readonly [precompile: RegExp, fork: string])[] = [
  [/^P256VERIFY$/, 'osaka'],
  [/^BLS12_/, 'prague'],
  [/^KZG/, 'cancun'],
];
const BLOB_ONLY = ['bpo1', 'bpo2', 'bpo3', 'bpo4', 'bpo5'];

/** The fork at hand, as if it had been there from the start, and the next one; `null` where it is not known. */
function chainOfConfig(chainId: bigint, { current, next }: ForkConfigs): ChainDescription | null {
  const name = current ? forkOf(current) : null;
  if (name === null || !current) return null;
  const forks: ForkActivation[] = [{ name, block: 0, timestamp: null }];
  const blobSchedule: Record<string, BlobSchedule> = current.blobSchedule ? { [name]: current.blobSchedule } : {};
  const following = next ? forkOf(next) : null;
  if (next && following !== null) {
    const later = following === name ? BLOB_ONLY[0]! : following;
    forks.push({ name: later, block: null, timestamp: next.activationTime });
    if (next.blobSchedule) blobSchedule[later] = next.blobSchedule;
  }
  const deposits = current.systemContracts?.['DEPOSIT_CONTRACT_ADDRESS'];
  const depositContract = deposits === undefined ? null : fromHex(deposits);
  return { chainId, forks, blobSchedule, depositContract, transactionGasCap: true, op: null };
}

function forkOf({ precompiles }: ForkConfig): string | null {
  const names = Object.keys(precompiles ?? {});
  return MARKS.find(([mark]) => names.some((name) => mark.test(name)))?.[1] ?? null;
}
