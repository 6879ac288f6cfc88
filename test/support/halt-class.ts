// Reduces go-ethereum's messages for exceptional halts to their class, which is all that this project reports.

/** The class of such a message; any other text is returned unchanged. */
export function haltClass(text: string): string {
  if (text.endsWith(': write protection')) return 'write protection';
  return text.replace(/^out of gas: .*$/, 'out of gas').replace(/ \(operand: 0x..\)/, '');
}
