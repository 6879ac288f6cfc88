// Changes a copy of the kernel's sources at a location that is given by name rather than by line.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A change to the kernel's sources as they are generated. */
export interface KernelChange {
  /** `file.name`: a file without its extension, and a function, constant, variable or interpreter case. */
  readonly place: string;
  /** Must occur there exactly once. */
  readonly find: string;
  readonly replace: string;
}

/** Changes the sources in `folder`. Throws as `changedKernelSource` does. */
export function changeKernel(folder: string, change: KernelChange): void {
  const { path, text } = changedKernelSource(folder, change);
  writeFileSync(path, text);
}

/**
 * Returns the changed text of a file in `folder`, and the file's path. Throws unless the location and the text to
 * replace each occur exactly once.
 */
export function changedKernelSource(
  folder: string,
  { place, find, replace }: KernelChange,
): { readonly path: string; readonly text: string } {
  const [, file = '', name = ''] = /^(.+)\.(\w+)$/.exec(place) ?? [];
  const path = join(folder, `${file}.ts`);
  const source = readFileSync(path, 'utf8');
  const [start, end] = onlyOne(definitions(source, name), `place ${place}`);
  const text = source.slice(start, end);
  const [at] = onlyOne([...text.matchAll(literal(find))].map(rangeOf), `in ${place}: ${find}`);
  const changed = text.slice(0, at) + replace + text.slice(at + find.length);
  return { path, text: source.slice(0, start) + changed + source.slice(end) };
}

type Range = readonly [start: number, end: number];

/** Definitions of functions, constants, variables and cases with this name. */
function definitions(source: string, name: string): Range[] {
  const patterns = [
    `^(?:export )?function ${name}\\(.*?^\\}$`,
    `^(?:export )?(?:const|let) ${name}\\b.*?;$`,
    `^        case op\\.${name}: \\{$.*?^        \\}$`,
  ];
  return patterns.flatMap((pattern) => [...source.matchAll(new RegExp(pattern, 'gms'))].map(rangeOf));
}

function rangeOf({ index, 0: text }: RegExpExecArray): Range {
  return [index, index + text.length];
}

function literal(text: string): RegExp {
  return new RegExp(text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`), 'g');
}

function onlyOne(ranges: readonly Range[], what: string): Range {
  const [range] = ranges;
  if (range === undefined || ranges.length > 1) throw new Error(`stands ${ranges.length} times: ${what}`);
  return range;
}
