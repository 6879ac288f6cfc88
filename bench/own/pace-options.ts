// The command line of `npm run pace`. Runs in the bench.
import { parseArgs } from 'node:util';
import { type PaceRun, runs } from './pace-rows.js';

export interface PaceOptions {
  readonly runs: readonly PaceRun[];
  /** Seconds of a turn. */
  readonly seconds: number;
  readonly rounds: number;
}

/** `[part of a row …] [--seconds S] [--rounds N]`. Throws a one-line message for the user if invalid. */
export function readPaceOptions(args: readonly string[]): PaceOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { seconds: { type: 'string', default: '1' }, rounds: { type: 'string', default: '3' } },
  });
  const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)];
  if (!(seconds >= 0.05) || !(rounds >= 1)) throw new Error('--seconds must be at least 0.05 and --rounds at least 1');
  const wanted = runs.filter(({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)));
  if (wanted.length === 0)
    throw new Error(`no such row; there are ${[...new Set(runs.map(({ name }) => name))].join('; ')}`);
  return { runs: wanted, seconds, rounds };
}
