// Options of the command line. Runs in the bench.
import { parseArgs } from 'node:util';
import { isLoopback } from '../load/connection.js';
import type { NamedUrl } from './still-stage.js';

export interface Options {
  /** Parts of names of scenarios; empty: all. */
  readonly scenarios: readonly string[];
  /** Endpoints in the place of this build and its peers. */
  readonly targets: readonly NamedUrl[];
  /** Endpoints beside this build, in the place of anvil. */
  readonly peers: readonly NamedUrl[];
  /** The target of the load that some runs have beside the measured one; `null`: to the target itself. */
  readonly beside: string | null;
  /** Certificates of https endpoints are not checked. */
  readonly insecure: boolean;
  readonly rate: number | null;
  readonly seconds: number;
  readonly rounds: number;
  readonly accounts: number;
  readonly seed: number;
  /** Recorded traffic in the place of the scenarios. */
  readonly replay: { readonly file: string; readonly speed: number } | null;
  /** Of the files written. */
  readonly name: string;
  readonly readme: boolean;
}

export type Command =
  | { readonly kind: 'run'; readonly options: Options }
  | { readonly kind: 'compare'; readonly files: readonly [older: string, newer: string] }
  | { readonly kind: 'genesis'; readonly file: string; readonly accounts: number }
  | { readonly kind: 'micro'; readonly names: readonly string[] }
  | { readonly kind: 'help' };

export const HELP = `npm run bench -- [scenario …] [flags]; without any: every scenario, this build beside anvil, under five minutes
  --target NAME=URL    measures this endpoint instead of a build of ours; twice or more to compare
  --peer [NAME=]URL    measures this endpoint beside this build, instead of anvil; both have to serve the same state
  --beside URL         loads beside the measured ones go there instead of to the target: what do they cost it by the machine alone?
  --genesis FILE       writes the suite's genesis for peers, and ends
  --rate N             every load at N requests a second (open loop)
  --seconds S          seconds of a turn (0.25)
  --rounds N           turns of each target (4)
  --accounts N         accounts that fill the state (100000)
  --seed N             other requests (1)
  --replay FILE        recorded traffic: lines of {"t_ms", "body"}, as prestate --record-requests FILE writes them
  --speed X            pace of --replay: 1 is that of the record, 0 as fast as answers come (1)
  --name NAME          of results/NAME.json and results/NAME.html; by default the time
  --compare            OLD.json NEW.json: what has changed
  --readme             writes the tables of README.md and bench/README.md
  --allow-remote       endpoints that are not on this machine
  --insecure           takes any certificate of an https endpoint; one signed by an authority of your own: NODE_EXTRA_CA_CERTS=CA.pem npm run bench
npm run bench -- micro [name …]: the in-process questions, one after the other
`;

/** Throws one line for a person where it makes no sense. */
export function readCommand(args: readonly string[]): Command {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      target: { type: 'string', multiple: true, default: [] },
      peer: { type: 'string', multiple: true, default: [] },
      beside: { type: 'string' },
      rate: { type: 'string' },
      seconds: { type: 'string', default: '0.25' },
      rounds: { type: 'string', default: '4' },
      accounts: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
      replay: { type: 'string' },
      speed: { type: 'string', default: '1' },
      genesis: { type: 'string' },
      name: { type: 'string' },
      compare: { type: 'boolean', default: false },
      readme: { type: 'boolean', default: false },
      'allow-remote': { type: 'boolean', default: false },
      insecure: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return { kind: 'help' };
  if (positionals[0] === 'micro') return { kind: 'micro', names: positionals.slice(1) };
  if (values.compare) return { kind: 'compare', files: twoOf(positionals) };
  const accounts = number('--accounts', values.accounts, 1);
  if (values.genesis !== undefined) return { kind: 'genesis', file: values.genesis, accounts };
  const targets = values.target.map((text) => endpoint('--target', text, values['allow-remote']));
  const peers = values.peer.map((text) => endpoint('--peer', text, values['allow-remote']));
  if (targets.length > 0 && peers.length > 0) throw new Error('--target and --peer do not go together');
  const beside = values.beside === undefined ? null : endpoint('--beside', values.beside, values['allow-remote']).url;
  const endpoints = [...targets, ...peers];
  if (values.insecure && !endpoints.some(({ url }) => isHttps(url)))
    throw new Error('--insecure is for endpoints with https');
  const names = endpoints.map(({ name }) => name);
  if (new Set(names).size < names.length) throw new Error('two endpoints have the same name');
  return {
    kind: 'run',
    options: {
      scenarios: positionals,
      targets,
      peers,
      beside,
      insecure: values.insecure,
      rate: values.rate === undefined ? null : number('--rate', values.rate, 1),
      seconds: number('--seconds', values.seconds, 0.05),
      rounds: number('--rounds', values.rounds, 1),
      accounts,
      seed: number('--seed', values.seed, 0),
      replay: values.replay === undefined ? null : { file: values.replay, speed: number('--speed', values.speed, 0) },
      name: values.name ?? new Date().toISOString().slice(0, 19).replaceAll(':', '-'),
      readme: values.readme,
    },
  };
}

function twoOf(files: readonly string[]): readonly [string, string] {
  const [older, newer, ...more] = files;
  if (older === undefined || newer === undefined || more.length > 0) throw new Error('--compare takes two files');
  return [older, newer];
}

/** `NAME=URL`; only a target needs the name. */
function endpoint(flag: string, text: string, allowRemote: boolean): NamedUrl {
  const [, name = flag === '--target' ? '' : flag.slice(2), url = ''] = /^(?:([^=/]+)=)?(.*)$/.exec(text) ?? [];
  if (name === '' || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Error(`${flag} ${text}: NAME=http://HOST:PORT or https is wanted`);
  if (!allowRemote && !isLoopback(url))
    throw new Error(`${flag} ${text} is not on this machine: load it only where you may, with --allow-remote`);
  return { name, url };
}

function isHttps(url: string): boolean {
  return new URL(url).protocol === 'https:';
}

function number(flag: string, text: string, least: number): number {
  const value = Number(text);
  if (!(value >= least)) throw new Error(`${flag} ${text}: a number of at least ${least} is wanted`);
  return value;
}
