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

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cell = (tag: string, html: string, i: number): string => `<${tag}${i === 0 ? '' : ' class="number"'}>${html}</${tag}>`;
  const line = (tag: string, cells: readonly string[]): string => `<tr>${cells.map((html, i) => cell(tag, html, i)).join('')}</tr>`;
  return `<div class="wide"><table>${line('th', head)}${rows.map((row) => line('td', row)).join('')}</table></div>`;
}
