// Addresses and command lines as they may be shown to others: keys are left out. Pure.

/** Protocol, host and port; a path or a query, which may be a key, as `…`. */
export function shownUrl(text: string): string {
  if (!URL.canParse(text)) return text;
  const { protocol, host, pathname, search } = new URL(text);
  return `${protocol}//${host}${pathname.length > 1 || search !== '' ? '/…' : ''}`;
}

/** A command line without keys: of headers only the names, of addresses only the hosts. */
export function shownCommand(command: string): string {
  return command
    .replaceAll(/(--header[ =])("?)([^:"]+):[^"]*?\2(?= --|$)/g, '$1$2$3: …$2')
    .replaceAll(/\b(?:https?|wss?):\/\/\S+/g, shownUrl);
}
