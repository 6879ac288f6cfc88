// Finds features of a block that we do not know, or that contradict the description of its chain. Pure.

// If a header has unknown fields, its hash may not be verifiable. Its content is then trusted, just as the state that
// the node returns. Nothing is executed on such a block. See DECISIONS.md.
import type { ChainDescription } from '../../../chain/chain-description.js';
import { isRawDeposit } from '../../../transaction/op/deposit.js';
import type { UpstreamBlock } from '../../../upstream/upstream.js';

/** Header field names are cut to this many characters in messages. */
const NAMES_CHARS_MAX = 120;
const DEPOSITS = 'blocks have deposits of the OP Stack, whose forks eth_config does not tell: --genesis does';

/**
 * Returns why a block's contents cannot follow the rules of `chain`; `null` if nothing indicates that.
 */
export function unsupportedFeatureIn(
  { unknownFields = [], transactions, listed }: UpstreamBlock,
  { op }: ChainDescription,
): string | null {
  const named = unknownFields.join(', ').slice(0, NAMES_CHARS_MAX);
  if (named !== '') return `headers have members that are not known here (${named})`;
  // A block's deposit transactions come before all others, so it is enough to look at the first transaction.
  const first = (listed ?? transactions)[0]?.raw ?? null;
  return op === null && first !== null && isRawDeposit(first) ? DEPOSITS : null;
}

/** Returns a phrase that names an unknown transaction type. */
export function transactionTypeText(type: number): string {
  return `a transaction of type 0x${type.toString(16)}, which is not known here`;
}
