// Halt messages of go-ethereum reduced to their class, which is all that is reported here.

/** What is left of such a text; any other as it is. */
export function haltClass(text: string): string {
  if (text.endsWith(': write protection')) return 'write protection';
  return text.replace(/^out of gas: .*$/, 'out of gas').replace(/ \(operand: 0x..\)/, '');
}
