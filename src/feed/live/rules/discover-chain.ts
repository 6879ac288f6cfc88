// A live chain and its rules: from a file, by the chain's id, or as the node reports them (EIP-7910).
import { readFileSync } from 'node:fs';
import type { ChainDescription, ParsedChainFile, UnknownFork } from '../../../chain/chain-description.js';
import { parseNonEvmRow } from '../../../chain/non-evm-accounts.js';
import { knownChainDescription } from '../../../chain/known-chains.js';
import { parseGenesisChain } from '../../../execution/block/genesis.js';
import { parseRollupConfig } from '../../../chain/op/rollup-config.js';
import type { Clock } from '../../../lib/clock.js';
import { LIMITS } from '../../../limits/index.js';
import { StartError } from '../../../lib/start-error.js';
import { isNodeSilent } from '../../../upstream/transport/upstream-error.js';
import { isJsonObject } from '../../../upstream/transport/parse-rpc-response.js';
import { redactAddress } from '../../../upstream/transport/redact.js';
import { nullIfRefused, UpstreamError, type Upstream } from '../../../upstream/upstream.js';
import { DEV_CHAIN } from '../../dev/genesis.js';
import type { LiveOptions } from '../../options.js';
import { createFileForkCheck, checkKnownRules, unknownForkInFile } from './check-known-rules.js';
import {
  rulesFromNode,
  createReportedForkCheck,
  substituteRules,
  type ForkCheck,
  type KnownRules,
} from './rules-from-forks.js';
import {
  parseEthConfig,
  withoutForkThatHeaderContradicts,
  unknownPrecompiles,
  type EthConfigForks,
} from './eth-config-fork.js';

type Node = Pick<Upstream, 'chainId' | 'request'>;

/** What is known about a chain at the start, and how that is kept up to date. */
interface DiscoveredChain {
  readonly known: KnownRules;
  readonly check: ForkCheck;
  /** Forks that the node has reported; `null` if it has not. */
  readonly reported: EthConfigForks | null;
}

/** How to wait for a node that is started together with this program. */
interface NodeWaitOptions {
  /** The node's URL, of which secrets are not shown. */
  readonly address: string;
  /** Shows a line to the operator. */
  readonly progress: (text: string) => void;
  readonly clock: Clock;
}

/** Resolves when the node responds at all, or after LIMITS.upstreamStartMsMax; the next request then says why. */
export async function waitForNode(upstream: Pick<Upstream, 'chainId'>, wait: NodeWaitOptions): Promise<void> {
  const { address, progress, clock } = wait;
  const untilMs = clock.now() + LIMITS.upstreamStartMsMax;
  for (let wasReported = false; clock.now() < untilMs; wasReported = true) {
    const failure = await upstream.chainId().then(() => null, silenceOf);
    if (failure === null) return;
    const seconds = LIMITS.upstreamStartMsMax / 1000;
    if (!wasReported)
      progress(`waiting for the upstream node at ${redactAddress(address)}, ${seconds} s at most: ${failure}`);
    await clock.sleepUntil(clock.now() + LIMITS.upstreamStartPauseMs, NEVER);
  }
}

const NEVER = new AbortController().signal;

/** The message if the node does not respond; `null` if it has responded, even with an error. */
function silenceOf(error: unknown): string | null {
  if (!(error instanceof UpstreamError)) throw error;
  return isNodeSilent(error) ? error.message : null;
}

/** Describes the chain. Rejects with StartError: exit code 1 for a silent node, 2 for a contradiction. */
export async function discoverChain(options: LiveOptions, upstream: Node): Promise<DiscoveredChain> {
  const chainId = await idOf(upstream);
  const file = options.genesisFile === null ? null : fromFile(options.genesisFile);
  const chain = file === null ? knownTo(chainId, options) : file.chain;
  if (chain !== null && chain.chainId !== chainId) {
    throw new StartError(
      `the upstream's chain has id ${chainId}, that of ${options.genesisFile} has ${chain.chainId}`,
      2,
    );
  }
  if (options.rules === 'op-stack' && (chain === null || chain.op === null))
    throw noRules(chainId, 'no OP-Stack rules');
  const reported = await queryEthConfig(upstream).catch(unreadable('rules cannot'));
  return withNonEvmAccounts(
    chain === null ? describedBy(chainId, reported) : checked(chain, reported, file?.unknown ?? null),
    options.nonEvmAccounts ?? [],
  );
}

/** Adds the accounts of `--foreign`, and precompiles that the node names and that are unknown here. */
function withNonEvmAccounts({ known, check, reported }: DiscoveredChain, listed: readonly string[]): DiscoveredChain {
  const rows = listed.map((text) => parseNonEvmRow(text)!);
  const extended = (rules: KnownRules, by: EthConfigForks | null): KnownRules => {
    const nonEvm = [...rows, ...(by === null ? [] : unknownPrecompiles(by))];
    const { foreign: _before, ...chain } = rules.chain;
    return { ...rules, chain: nonEvm.length === 0 ? chain : { ...chain, foreign: nonEvm } };
  };
  const extending: ForkCheck = (by, before, timestamp) => extended(check(by, before, timestamp), by);
  return { known: extended(known, reported), check: extending, reported };
}

/** The node's response to `eth_config` (EIP-7910), checked by its newest header; `null` if none. Rejects. */
export async function queryEthConfig(upstream: Pick<Upstream, 'request'>): Promise<EthConfigForks | null> {
  const reported = parseEthConfig(await upstream.request('eth_config', []).catch(nullIfRefused));
  if (reported === null) return null;
  const header = await upstream.request('eth_getBlockByNumber', ['latest', false]).catch(nullIfRefused);
  return isJsonObject(header) && 'stateRoot' in header ? withoutForkThatHeaderContradicts(reported, header) : reported;
}

/** `inFile` is an unknown fork in the chain's file. */
function checked(
  chain: ChainDescription,
  reported: EthConfigForks | null,
  inFile: UnknownFork | null = null,
): DiscoveredChain {
  const unknown = inFile === null ? null : unknownForkInFile(inFile);
  const check = unknown === null ? checkKnownRules : createFileForkCheck(unknown);
  const known: KnownRules = { chain, unknown };
  return { known: reported === null ? known : check(reported, known, 0n), check, reported };
}

/** Describes a chain by what its node reports alone. */
function describedBy(chainId: bigint, reported: EthConfigForks | null): DiscoveredChain {
  if (reported === null && chainId === DEV_CHAIN.chainId) return checked(DEV_CHAIN, null);
  const first = reported === null ? null : rulesFromNode(chainId, reported);
  if (reported !== null && first !== null)
    return { known: first, check: createReportedForkCheck(reported.current.activationTime), reported };
  return { known: substituteRules(chainId, reported), check: learning(chainId), reported };
}

/** Keeps rules unknown until the node reports known ones: any at all, or without the unknown fork. */
function learning(chainId: bigint): ForkCheck {
  let later: ForkCheck | null = null;
  return (reported, before, timestamp) => {
    if (later !== null) return later(reported, before, timestamp);
    const first = rulesFromNode(chainId, reported);
    if (first !== null) later = createReportedForkCheck(reported.current.activationTime);
    return first ?? substituteRules(chainId, reported);
  };
}

async function idOf(upstream: Node): Promise<bigint> {
  return upstream.chainId().catch(unreadable('chain id cannot'));
}

function unreadable(what: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof UpstreamError)) throw error;
    throw new StartError(`the upstream's ${what} be read: ${error.message}`, 1);
  };
}

function fromFile(file: string): ParsedChainFile {
  const text = read(file);
  return /"l2_chain_id"/.test(text) ? parseRollupConfig(file, text) : parseGenesisChain(file, text);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`${file} cannot be read: ${(error as Error).message}`, 2);
  }
}

/** Describes a chain by its id alone; `null` if the id is unknown. */
function knownTo(chainId: bigint, { rules }: LiveOptions): ChainDescription | null {
  return rules === 'ethereum' ? null : knownChainDescription(chainId);
}

function noRules(chainId: bigint, what: string): StartError {
  return new StartError(`${what} are known for the chain with id ${chainId}: give --genesis`, 2);
}
