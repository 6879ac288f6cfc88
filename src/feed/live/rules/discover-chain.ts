// Finds out the id and rules of a live chain: from a file, by the chain id, or from what the node reports (EIP-7910).
import { readFileSync } from 'node:fs';
import type { ChainDescription, ParsedChainFile, UnknownFork } from '../../../chain/chain-description.js';
import { parseNonEvmAddressPattern } from '../../../chain/non-evm-accounts.js';
import { knownOpChainDescription } from '../../../chain/known-chains.js';
import { parseGenesisConfig } from '../../../execution/block/genesis.js';
import { parseRollupConfig } from '../../../chain/op/rollup-config.js';
import type { Clock } from '../../../lib/clock.js';
import { LIMITS } from '../../../limits/index.js';
import { StartError } from '../../../lib/start-error.js';
import { isNodeSilent } from '../../../upstream/transport/upstream-error.js';
import { isJsonObject } from '../../../upstream/transport/parse-rpc-response.js';
import { redactAddress } from '../../../upstream/transport/redact-secrets.js';
import { nullIfRefused, UpstreamError, type Upstream } from '../../../upstream/upstream.js';
import { DEV_CHAIN } from '../../dev/genesis.js';
import type { LiveOptions } from '../../chain-source-options.js';
import { createFileForkCheck, checkKnownRules, genesisFileForkNotice } from './check-rules-against-node-forks.js';
import {
  rulesFromNode,
  createReportedForkCheck,
  substituteRulesForUnknownFork,
  type DeriveRulesFromForks,
  type KnownRules,
} from './rules-from-node-forks.js';
import {
  parseEthConfig,
  withoutForkThatHeaderContradicts,
  unknownPrecompiles,
  type EthConfigForks,
} from './eth-config-fork.js';

type Node = Pick<Upstream, 'chainId' | 'request'>;

/** The rules known at the start, and the function that updates them when the node reports forks. */
interface DiscoveredChain {
  readonly known: KnownRules;
  readonly check: DeriveRulesFromForks;
  /** The forks that the node reports; `null` if it reports none. */
  readonly reported: EthConfigForks | null;
}

/** Options for waiting until the node responds: it may be started at the same time as this program. */
interface NodeWaitOptions {
  /** The node's URL. Secrets in it are not shown to the operator. */
  readonly address: string;
  /** Shows a line to the operator. */
  readonly progress: (text: string) => void;
  readonly clock: Clock;
}

/**
 * Resolves when the node responds, even with an error, or after LIMITS.upstreamStartMsMax. After a timeout, the
 * caller's next request fails with the reason.
 */
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

/** Returns the error message if the node did not respond; `null` if it has responded, even with an error. */
function silenceOf(error: unknown): string | null {
  if (!(error instanceof UpstreamError)) throw error;
  return isNodeSilent(error) ? error.message : null;
}

/**
 * Finds out the chain's rules. Rejects with StartError: exit code 1 if the node does not respond, 2 if the node
 * contradicts the genesis file or the options.
 */
export async function discoverChain(options: LiveOptions, upstream: Node): Promise<DiscoveredChain> {
  const chainId = await upstream.chainId().catch(unreadable('chain id cannot'));
  const file = options.genesisFile === null ? null : fromFile(options.genesisFile);
  const chain = file === null ? knownTo(chainId, options) : file.chain;
  if (chain !== null && chain.chainId !== chainId) {
    throw new StartError(
      `the upstream's chain has id ${chainId}, that of ${options.genesisFile} has ${chain.chainId}`,
      2,
    );
  }
  if (options.rules === 'op-stack' && (chain === null || chain.op === null))
    throw new StartError(`no OP-Stack rules are known for the chain with id ${chainId}: give --genesis`, 2);
  const reported = await queryEthConfig(upstream).catch(unreadable('rules cannot'));
  return withNonEvmAccounts(
    chain === null ? describedBy(chainId, reported) : checked(chain, reported, file?.unknown ?? null),
    options.nonEvmAccounts ?? [],
  );
}

/** Adds the non-EVM accounts to the rules: those of `--foreign`, and precompiles of the node that we do not know. */
function withNonEvmAccounts({ known, check, reported }: DiscoveredChain, listed: readonly string[]): DiscoveredChain {
  const rows = listed.map((text) => parseNonEvmAddressPattern(text)!);
  const extended = (rules: KnownRules, by: EthConfigForks | null): KnownRules => {
    const nonEvm = [...rows, ...(by === null ? [] : unknownPrecompiles(by))];
    const { foreign: _before, ...chain } = rules.chain;
    return { ...rules, chain: nonEvm.length === 0 ? chain : { ...chain, foreign: nonEvm } };
  };
  const extending: DeriveRulesFromForks = (by, before, timestamp) => extended(check(by, before, timestamp), by);
  return { known: extended(known, reported), check: extending, reported };
}

/**
 * Requests the node's forks by `eth_config` (EIP-7910), and removes what contradicts the node's newest header. Returns
 * `null` if the node reports no forks. Rejects with UpstreamError.
 */
export async function queryEthConfig(upstream: Pick<Upstream, 'request'>): Promise<EthConfigForks | null> {
  const reported = parseEthConfig(await upstream.request('eth_config', []).catch(nullIfRefused));
  if (reported === null) return null;
  const header = await upstream.request('eth_getBlockByNumber', ['latest', false]).catch(nullIfRefused);
  return isJsonObject(header) && 'stateRoot' in header ? withoutForkThatHeaderContradicts(reported, header) : reported;
}

/** Checks a known description against the node's report. `inFile` is an unknown fork from the `--genesis` file. */
function checked(
  chain: ChainDescription,
  reported: EthConfigForks | null,
  inFile: UnknownFork | null = null,
): DiscoveredChain {
  const unknown = inFile === null ? null : genesisFileForkNotice(inFile);
  const check = unknown === null ? checkKnownRules : createFileForkCheck(unknown);
  const known: KnownRules = { chain, unknown };
  return { known: reported === null ? known : check(reported, known, 0n), check, reported };
}

/** Describes a chain whose rules are known neither by its id nor from a file, by the forks that its node reports. */
function describedBy(chainId: bigint, reported: EthConfigForks | null): DiscoveredChain {
  if (reported === null && chainId === DEV_CHAIN.chainId) return checked(DEV_CHAIN, null);
  const substitute = substituteRulesForUnknownFork(chainId, reported);
  const check = learning(chainId);
  return { known: reported === null ? substitute : check(reported, substitute, 0n), check, reported };
}

/** Returns a check for a chain with unknown rules. They stay unknown until the node's current fork is one we know. */
function learning(chainId: bigint): DeriveRulesFromForks {
  let later: DeriveRulesFromForks | null = null;
  return (reported, before, timestamp) => {
    if (later !== null) return later(reported, before, timestamp);
    const first = rulesFromNode(chainId, reported);
    if (first !== null) later = createReportedForkCheck(reported.current.activationTime);
    return first ?? substituteRulesForUnknownFork(chainId, reported);
  };
}

function unreadable(what: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof UpstreamError)) throw error;
    throw new StartError(`the upstream's ${what} be read: ${error.message}`, 1);
  };
}

function fromFile(file: string): ParsedChainFile {
  const text = read(file);
  return /"l2_chain_id"/.test(text) ? parseRollupConfig(file, text) : parseGenesisConfig(file, text);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`${file} cannot be read: ${(error as Error).message}`, 2);
  }
}

/** Returns the description of a chain by its id alone; `null` if the id is unknown, or with `--rules ethereum`. */
function knownTo(chainId: bigint, { rules }: LiveOptions): ChainDescription | null {
  return rules === 'ethereum' ? null : knownOpChainDescription(chainId);
}
