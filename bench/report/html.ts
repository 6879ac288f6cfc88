// Texts as HTML. Pure.

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Any text, as text or as an attribute's value. */
export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ENTITIES[char]!);
}

/** JSON inside a script element: nothing in it can end the element. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

/** `head` and rows of HTML; all columns but the first are numbers. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return `<div class="wide"><table>${line('th', head)}${rows.map((row) => line('td', row)).join('')}</table></div>`;
}

function line(tag: string, cells: readonly string[]): string {
  const html = cells.map((cell, i) => `<${tag}${i === 0 ? '' : ' class="number"'}>${cell}</${tag}>`);
  return `<tr>${html.join('')}</tr>`;
}
