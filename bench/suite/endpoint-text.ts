// Redacts URLs and command lines for reports: secrets are removed. Pure.

/** Protocol, host and port; path and query, which may contain a key, become `…`. */
export function shownUrl(text: string): string {
  if (!URL.canParse(text)) return text;
  const { protocol, host, pathname, search } = new URL(text);
  return `${protocol}//${host}${pathname.length > 1 || search !== '' ? '/…' : ''}`;
}

/** A command line without secrets: only names of headers and hosts of URLs. */
export function shownCommand(command: string): string {
  return command
    .replaceAll(/(--header[ =])("?)([^:"]+):[^"]*?\2(?= --|$)/g, '$1$2$3: …$2')
    .replaceAll(/\b(?:https?|wss?):\/\/\S+/g, shownUrl);
}
