// Reduces go-ethereum's message about a transaction that cannot be applied to what does not depend on its fees. If a
// call for an access list names no fees, the recorded Amsterdam node fills them in; go-ethereum 1.17.10 does not.

/** Such a message without the transaction's hash and cost; any other text is returned unchanged. */
export function withoutFees(text: string): string {
  if (!text.startsWith('failed to apply transaction: ')) return text;
  return text.replace(/(?<=^failed to apply transaction: )0x[0-9a-f]{64}/, 'HASH').replace(/(?<= want )\d+$/, 'COST');
}
