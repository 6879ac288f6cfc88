// Decides which methods that this program does not implement are forwarded to the upstream node. Pure.

/** Returns true if a method is forwarded to the upstream node. */
export type PassthroughFilter = (method: string) => boolean;

/** List entry for the methods of the execution API that read or submit, and store nothing on the node. */
export const STANDARD_METHODS_ENTRY = 'standard';

const STANDARD_METHODS = namesOf('eth_getHeaderBy* eth_getProof eth_sendRawTransaction');

/**
 * Methods that are never forwarded, even if the operator lists them. Some sign or send with the node's own keys, and
 * some control the node. Others store something for a client, but the node cannot tell our clients apart.
 */
const NEVER = namesOf(`
  admin_* personal_* engine_* miner_* clique_* les_* account_* wallet_* anvil_* hardhat_* evm_* eth_sign*
  eth_sendTransaction eth_resend eth_accounts eth_requestAccounts eth_coinbase eth_submit* eth_getWork eth_new*
  eth_getFilter* eth_uninstallFilter
`);
/** `debug_` methods that may be forwarded. Other `debug_` methods set the head, write files, or profile the process. */
const DEBUG_READS = namesOf(`
  debug_trace* debug_get* debug_storageRangeAt debug_accountRange debug_intermediateRoots debug_executionWitness*
`);
/**
 * Matches subscription methods, which are not forwarded: their notifications would need a separate connection to the
 * node.
 */
const SUBSCRIPTION = /_(un)?subscribe$/;

const METHOD = /^\w{1,64}$/;
const ENTRY = /^(\w{1,64}\*?|\*)$/;

/**
 * Parses a list of method names. The entry `standard` stands for the standard methods, and `*` at the end of a name for
 * any ending.
 */
export function parsePassthroughList(list: readonly string[]): PassthroughFilter {
  const entries = list.flatMap((entry) => (entry === STANDARD_METHODS_ENTRY ? STANDARD_METHODS : [entry]));
  return (method) => METHOD.test(method) && entries.some(matches(method)) && !isNever(method);
}

/** Returns why an entry of the method list is invalid; `null` if it is valid. */
export function passthroughEntryFault(entry: string): string | null {
  if (!ENTRY.test(entry)) return `has "${entry}", which is no method`;
  const isVoid = entry.endsWith('*') ? NEVER.some(matches(entry.slice(0, -1))) : isNever(entry);
  return isVoid ? `has ${entry}, which is never passed on` : null;
}

/**
 * Returns why an entry of the method list has no effect (this program implements the method); `null` if all have an
 * effect.
 */
export function findIneffectivePassthroughEntry(list: readonly string[]): string | null {
  const isIdle = list.includes('eth_sendRawTransactionSync') && !parsePassthroughList(list)('eth_sendRawTransaction');
  return isIdle ? 'has eth_sendRawTransactionSync, which is served here by eth_sendRawTransaction: list that' : null;
}

function isNever(method: string): boolean {
  if (NEVER.some(matches(method)) || SUBSCRIPTION.test(method)) return true;
  return method.startsWith('debug_') && !DEBUG_READS.some(matches(method));
}

function namesOf(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

const matches =
  (method: string) =>
  (entry: string): boolean =>
    entry.endsWith('*') ? method.startsWith(entry.slice(0, -1)) : method === entry;
