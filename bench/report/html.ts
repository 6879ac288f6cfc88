// HTML escaping and tables. Pure.

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a string as text or attribute value. */
export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ENTITIES[char]!);
}

/** JSON for a script element: nothing in it can end the element. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

/**
 * A table from `head` and rows of HTML; all columns but the first are numbers. In a row with fewer cells the last one
 * spans the rest. On narrow screens each row is a list of labelled cells.
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const heads = head.map((text, i) => `<th scope="col"${i === 0 ? '' : ' class="number"'}>${text}</th>`);
  return `<table class="figures"><thead><tr>${heads.join('')}</tr></thead><tbody>${rows.map((row) => line(head, row)).join('')}</tbody></table>`;
}

function line(head: readonly string[], [name = '', ...cells]: readonly string[]): string {
  const isWhole = cells.length === head.length - 1;
  const rest = cells.map((cell, i) =>
    isWhole
      ? `<td class="number" data-name="${head[i + 1]}">${cell}</td>`
      : `<td colspan="${head.length - 1}">${cell}</td>`,
  );
  return `<tr><th scope="row">${name}</th>${rest.join('')}</tr>`;
}
