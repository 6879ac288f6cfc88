// Things in a block that are not known here, or not of its chain as it is described. Pure.

// A header whose unknown members cannot be read is believed on the node's word, as its state is, and nothing is
// executed on it. See DECISIONS.md.
import type { ChainDescription } from '../../../chain/spec.js';
import { isDeposit } from '../../../transaction/op/deposit.js';
import type { UpstreamBlock } from '../../../upstream/upstream.js';

/** Characters of a header's members that are named. */
const NAMES_CHARS_MAX = 120;
const DEPOSITS = 'blocks have deposits of the OP Stack, whose forks eth_config does not tell: --genesis does';

/** Things in a block by which its rules are others than those of `chain`; `null`: there are none. */
export function unsupportedIn(
  { unknownFields: strangeFields = [], transactions, listed }: UpstreamBlock,
  { op }: ChainDescription,
): string | null {
  const named = strangeFields.join(', ').slice(0, NAMES_CHARS_MAX);
  if (named !== '') return `headers have members that are not known here (${named})`;
  // They come before all others, in every block.
  const first = (listed ?? transactions)[0]?.raw ?? null;
  return op === null && first !== null && isDeposit(first) ? DEPOSITS : null;
}

/** Type in a block that is not known here; `null`: none. */
export function unknownIn({ unknownType }: UpstreamBlock): string | null {
  return unknownType === null ? null : typeText(unknownType);
}

export function typeText(type: number): string {
  return `a transaction of type 0x${type.toString(16)}, which is not known here`;
}
