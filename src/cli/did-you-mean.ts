// Finds the known name that is most similar to a misspelt one. Pure.

/** A name may have one mistake for each three letters; a shorter name may have one mistake. */
const LETTERS_A_MISTAKE = 3;

/** Returns the known name nearest to `word`, or `null` if none is so near that it was probably meant. */
export function nearestName(word: string, names: readonly string[]): string | null {
  // Of two names at the same distance, one that starts with `word` wins: `of` means `off` rather than `on`.
  const rank = (name: string): number => editDistance(word, name) - (name.startsWith(word) ? 0.5 : 0);
  const ranked = names.map((name) => ({ name, distance: rank(name) }));
  const [best] = ranked.sort((a, b) => a.distance - b.distance);
  const mistakesMax = Math.max(1, Math.floor(word.length / LETTERS_A_MISTAKE));
  return best !== undefined && best.distance <= mistakesMax ? best.name : null;
}

/**
 * Returns `; did you mean NAME?` with the known name nearest to `word`, or an empty string. `prefix` is put before
 * NAME.
 */
export function didYouMean(word: string, names: readonly string[], prefix = ''): string {
  const name = nearestName(word, names);
  return name === null ? '' : `; did you mean ${prefix}${name}?`;
}

/**
 * Counts the insertions, deletions, replacements and swaps of neighbouring letters that turn word `a` into word `b`.
 */
export function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? rows[i - 2]![j - 2]! + 1 : Infinity;
      row.push(Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, replaced, swapped));
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
