// Options of the command line. Runs in the bench.
import { parseArgs } from 'node:util';
import { type Headers, isLoopback } from '../load/connection.js';
import type { RateStage } from '../load/schedule.js';
import type { GivenPace } from './row-plan.js';
import type { NamedUrl } from './target.js';
import { type Threshold, thresholdOf } from './threshold.js';

export interface Options {
  /** Parts of names of scenarios; empty: all. */
  readonly scenarios: readonly string[];
  /** Endpoints in the place of this build and its peers. */
  readonly targets: readonly NamedUrl[];
  /** Endpoints beside this build, in the place of anvil. */
  readonly peers: readonly NamedUrl[];
  /** Of every request. */
  readonly headers: Headers;
  /** The target of the load that some runs have beside the measured one; `null`: to the target itself. */
  readonly beside: string | null;
  /** Certificates of https endpoints are not checked. */
  readonly insecure: boolean;
  readonly pace: GivenPace | null;
  readonly seconds: number;
  readonly rounds: number;
  /** Of closed loops; `null`: each load's own. */
  readonly connections: number | null;
  /** Time that an endpoint has to answer for the first time. */
  readonly waitSeconds: number;
  readonly accounts: number;
  readonly seed: number;
  /** Requests of a file in the place of the scenarios. */
  readonly replay: { readonly file: string; readonly speed: number } | null;
  readonly thresholds: readonly Threshold[];
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

const HELP = `prestate bench --target NAME=URL [--target NAME=URL …] [scenario …] [flags]: loads endpoints, checks their answers, makes a report
  --target NAME=URL    this endpoint; several of one chain take turns and are compared
  --header 'NAME: V'   a header of every request; several may be given
  --replay FILE        requests of a file in the place of the scenarios, one a line: {"t_ms", "body"} as --record-requests writes
                       them, JSON-RPC requests or batches as they are, or vegeta's JSON targets
  --speed X            pace of --replay: 1 is that of the record, 0 as fast as answers come (1)
  --rate N             every load at N requests a second (open loop)
  --stages N:S,…       every load at N requests a second for S seconds, then at the next rate
  --seconds S          seconds of a turn (0.25)
  -c, --connections N  connections of a closed loop, each with one request in flight unless it is pipelined; by default the load's own
  --rounds N           turns of each target (4; with --stages 1)
  --seed N             other requests (1)
  --fail-if 'TEXT'     ends with 1 where it is so, such as 'estimates p99 > 5ms', 'nonces rate < 10000', 'errors > 0.1%';
                       figures: p50 p90 p99 p99.9 max rate errors cpu, of the first target unless one is named
  --wait S             seconds that a target which is starting has to answer for the first time (30)
  --name NAME          of results/NAME.json, .csv and .html; by default the time
  --compare            OLD.json NEW.json: what has changed; ends with 1 where something was lost
  --beside URL         loads beside the measured ones go there instead of to the target: what do they cost it by the machine alone?
  --allow-remote       endpoints that are not on this machine
  --insecure           takes any certificate of an https endpoint; one signed by an authority of your own: NODE_EXTRA_CA_CERTS=CA.pem
Ends with 1 where a target had no numbers, answers were wrong or differed, or a threshold is met. Ctrl-C keeps what there is.
`;
const CLONE_HELP = `In the project's clone, npm run bench -- … instead of prestate bench …; without --target every scenario, this build beside anvil:
  --peer [NAME=]URL    measures this endpoint beside this build, instead of anvil; both have to serve the same state
  --genesis FILE       writes the suite's genesis for peers, and ends
  --accounts N         accounts that fill the state (100000)
  --readme             writes the tables of README.md and bench/RESULTS.md
  micro [name …]       the in-process questions, one after the other
`;

/** `isClone`: with the flags that need the project's own folder. */
export function helpText(isClone: boolean): string {
  return isClone ? HELP + CLONE_HELP : HELP;
}

/** Throws one line for a person where it makes no sense. */
export function readCommandAndConfig(args: readonly string[]): Command {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      target: { type: 'string', multiple: true, default: [] },
      peer: { type: 'string', multiple: true, default: [] },
      header: { type: 'string', multiple: true, default: [] },
      beside: { type: 'string' },
      rate: { type: 'string' },
      stages: { type: 'string' },
      seconds: { type: 'string', default: '0.25' },
      rounds: { type: 'string' },
      connections: { type: 'string', short: 'c' },
      wait: { type: 'string', default: '30' },
      accounts: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
      replay: { type: 'string' },
      speed: { type: 'string', default: '1' },
      genesis: { type: 'string' },
      'fail-if': { type: 'string', multiple: true, default: [] },
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
      headers: Object.fromEntries(values.header.map(headerOf)),
      beside,
      insecure: values.insecure,
      pace: paceOf(values.rate, values.stages),
      seconds: number('--seconds', values.seconds, 0.05),
      rounds: number('--rounds', values.rounds ?? (values.stages === undefined ? '4' : '1'), 1),
      connections: values.connections === undefined ? null : whole('--connections', values.connections),
      waitSeconds: number('--wait', values.wait, 0),
      accounts,
      seed: number('--seed', values.seed, 0),
      replay: values.replay === undefined ? null : { file: values.replay, speed: number('--speed', values.speed, 0) },
      thresholds: values['fail-if'].map(thresholdOf),
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

/** The value is left out of the fault: it may be a key. */
function headerOf(text: string): readonly [name: string, value: string] {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*([\x20-\x7e]*)$/.exec(text) ?? [];
  if (name === undefined) throw new Error(`--header ${text.split(':', 1)[0]}: 'NAME: VALUE' is wanted`);
  return [name.toLowerCase(), value!];
}

function paceOf(rate: string | undefined, stages: string | undefined): GivenPace | null {
  if (rate !== undefined && stages !== undefined) throw new Error('--rate and --stages do not go together');
  if (rate !== undefined) return { kind: 'rate', perSecond: number('--rate', rate, 1) };
  return stages === undefined ? null : { kind: 'stages', stages: stages.split(',').map(stageOf) };
}

function stageOf(text: string): RateStage {
  const [, perSecond, seconds] = /^(\d+):(\d+(?:\.\d+)?)s?$/.exec(text.trim()) ?? [];
  if (perSecond === undefined) throw new Error(`--stages ${text}: RATE:SECONDS is wanted`);
  return { perSecond: number('--stages', perSecond, 1), seconds: number('--stages', seconds!, 0.05) };
}

function isHttps(url: string): boolean {
  return new URL(url).protocol === 'https:';
}

function whole(flag: string, text: string): number {
  const value = number(flag, text, 1);
  if (!Number.isInteger(value)) throw new Error(`${flag} ${text}: a whole number is wanted`);
  return value;
}

function number(flag: string, text: string, least: number): number {
  const value = Number(text);
  if (!(value >= least)) throw new Error(`${flag} ${text}: a number of at least ${least} is wanted`);
  return value;
}
