// The file of `--warm`: what is to be resident from the start on. A line is an address, an address and a slot, or a
// call as eth_call accepts it, in JSON; empty lines and those that begin with # are skipped. Runs on main and on the
// publisher.
import { readFileSync } from 'node:fs';
import { fromHex } from '../lib/bytes/hex.js';
import { StartError } from '../start-error.js';
import type { Wants } from './views/recording-view.js';

/** Contents of the file. */
export interface WarmFile {
  readonly keys: Wants;
  /** JSON objects, not validated any further. */
  readonly calls: readonly object[];
}

const ADDRESS = /^0x[0-9a-f]{40}$/i;
const SLOT = /^0x[0-9a-f]{1,64}$/i;
/** Invalid lines that are listed in the error; further ones are only counted. */
const FAULTS_NAMED = 5;

type Line =
  | { readonly kind: 'account'; readonly address: Uint8Array }
  | { readonly kind: 'slot'; readonly address: Uint8Array; readonly slot: Uint8Array }
  | { readonly kind: 'call'; readonly call: object }
  | { readonly kind: 'fault'; readonly text: string };

/** Throws StartError with exit code 2 if the file cannot be read, or lists the numbers of its invalid lines. */
export function readWarmFile(file: string): WarmFile {
  const lines = textOf(file)
    .split('\n')
    .map((text, index) => ({ text: text.trim(), number: index + 1 }))
    .filter(({ text }) => text !== '' && !text.startsWith('#'))
    .map(({ text, number }) => lineOf(text, number));
  const faults = lines.flatMap((line) => (line.kind === 'fault' ? [line.text] : []));
  if (faults.length > 0) throw new StartError(`${file}: ${told(faults)}`, 2);
  return {
    keys: {
      accounts: lines.flatMap((line) => (line.kind === 'account' ? [line.address] : [])),
      slots: lines.flatMap((line) => (line.kind === 'slot' ? [{ address: line.address, slot: line.slot }] : [])),
    },
    calls: lines.flatMap((line) => (line.kind === 'call' ? [line.call] : [])),
  };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`${file} cannot be read: ${(error as Error).message}`, 2);
  }
}

function lineOf(text: string, number: number): Line {
  if (text.startsWith('{')) return callOf(text, number);
  const [address = '', slot, ...rest] = text.split(/\s+/);
  if (!ADDRESS.test(address)) return fault(number, 'neither an address nor a call');
  if (slot === undefined) return { kind: 'account', address: fromHex(address) };
  if (!SLOT.test(slot) || rest.length > 0) return fault(number, 'behind the address there is no slot');
  return { kind: 'slot', address: fromHex(address), slot: fromHex(`0x${slot.slice(2).padStart(64, '0')}`) };
}

function callOf(text: string, number: number): Line {
  try {
    return { kind: 'call', call: JSON.parse(text) as object };
  } catch {
    return fault(number, 'a call that is no JSON');
  }
}

function fault(number: number, what: string): Line {
  return { kind: 'fault', text: `line ${number}: ${what}` };
}

function told(faults: readonly string[]): string {
  const more = faults.length - FAULTS_NAMED;
  return faults.slice(0, FAULTS_NAMED).join('; ') + (more > 0 ? `; and ${more} more` : '');
}
