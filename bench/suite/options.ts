// Command-line options. Runs in the bench.
import { parseArgs } from 'node:util';
import { type Headers, isLoopback } from '../load/connection.js';
import type { RateStage } from '../load/schedule.js';
import type { GivenPace } from './row-plan.js';
import type { NamedUrl } from './target.js';
import { type Threshold, thresholdOf } from './threshold.js';

export interface Options {
  /** Parts of names of scenarios; empty: all. */
  readonly scenarios: readonly string[];
  /** Endpoints instead of this build and its peers. */
  readonly targets: readonly NamedUrl[];
  /** Endpoints in addition to this build, instead of anvil. */
  readonly peers: readonly NamedUrl[];
  /** Headers of every request. */
  readonly headers: Headers;
  /** Destination of background load; `null`: the target itself. */
  readonly beside: string | null;
  /** Certificates of https endpoints are not verified. */
  readonly insecure: boolean;
  readonly pace: GivenPace | null;
  readonly seconds: number;
  readonly rounds: number;
  /** Connections of closed loops; `null`: each load's own. */
  readonly connections: number | null;
  /** Time limit for the first response of an endpoint. */
  readonly waitSeconds: number;
  readonly accounts: number;
  readonly seed: number;
  /** Requests of a file instead of the scenarios. */
  readonly replay: { readonly file: string; readonly speed: number } | null;
  readonly thresholds: readonly Threshold[];
  /** Base name of the written files. */
  readonly name: string;
  readonly readme: boolean;
}

export type Command =
  | { readonly kind: 'run'; readonly options: Options }
  | { readonly kind: 'compare'; readonly files: readonly [older: string, newer: string] }
  | { readonly kind: 'genesis'; readonly file: string; readonly accounts: number }
  | { readonly kind: 'micro'; readonly names: readonly string[] }
  | { readonly kind: 'help' };

const HELP = `prestate bench --target NAME=URL [--target NAME=URL …] [scenario …] [flags]: load-tests endpoints, verifies their responses, writes a report
  --target NAME=URL    an endpoint; several of one chain are measured alternately and compared
  --header 'NAME: V'   a header of every request; repeatable
  --replay FILE        requests of a file instead of the scenarios, one per line: {"t_ms", "body"} as --record-requests writes
                       them, JSON-RPC requests or batches, or vegeta's JSON targets
  --speed X            pace of --replay: 1 is the recorded one, 0 a closed loop (1)
  --rate N             every load at N requests a second (open loop)
  --stages N:S,…       every load at N requests a second for S seconds, then at the next rate
  --seconds S          seconds of a turn (0.25)
  -c, --connections N  connections of a closed loop, each with one request in flight unless it is pipelined; by default the load's own
  --rounds N           turns of each target (4; with --stages 1)
  --seed N             seed of the requests (1)
  --fail-if 'TEXT'     exits with 1 if the condition holds, such as 'estimates p99 > 5ms', 'nonces rate < 10000', 'errors > 0.1%';
                       figures: p50 p90 p99 p99.9 max rate errors cpu, of the first target unless one is named
  --wait S             seconds to wait for the first response of a starting target (30)
  --name NAME          name of results/NAME.json, .csv and .html; default: the time
  --compare            OLD.json NEW.json: shows changes; exits with 1 if a row got worse
  --beside URL         sends background load there instead of to the target: its effect through the machine alone
  --allow-remote       allows endpoints on other machines
  --insecure           accepts any certificate of an https endpoint; for a private CA use NODE_EXTRA_CA_CERTS=CA.pem
Exits with 1 if a target had no figures, responses were wrong or differed, or a threshold was violated. Ctrl-C keeps the results so far.
`;
const CLONE_HELP = `In the project's clone, npm run bench -- … instead of prestate bench …; without --target every scenario, this build and anvil:
  --peer [NAME=]URL    measures this endpoint and this build, instead of anvil; both have to serve the same state
  --genesis FILE       writes the suite's genesis for peers, and exits
  --accounts N         number of filler accounts in the state (100000)
  --readme             writes the tables of README.md and bench/RESULTS.md
  micro [name …]       the in-process micro benches, sequentially
`;

/** `isClone`: with the flags that need the project's own folder. */
export function helpText(isClone: boolean): string {
  return isClone ? HELP + CLONE_HELP : HELP;
}

/** Throws a one-line message for the user if invalid. */
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
  if (targets.length > 0 && peers.length > 0) throw new Error('--target and --peer exclude each other');
  const beside = values.beside === undefined ? null : endpoint('--beside', values.beside, values['allow-remote']).url;
  const endpoints = [...targets, ...peers];
  if (values.insecure && !endpoints.some(({ url }) => isHttps(url)))
    throw new Error('--insecure requires an https endpoint');
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
    throw new Error(`${flag} ${text}: expected NAME=http://HOST:PORT or https`);
  if (!allowRemote && !isLoopback(url))
    throw new Error(`${flag} ${text} is not on this machine: load-test it only with permission, and --allow-remote`);
  return { name, url };
}

/** The value is omitted from the error message: it may be a secret. */
function headerOf(text: string): readonly [name: string, value: string] {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*([\x20-\x7e]*)$/.exec(text) ?? [];
  if (name === undefined) throw new Error(`--header ${text.split(':', 1)[0]}: expected 'NAME: VALUE'`);
  return [name.toLowerCase(), value!];
}

function paceOf(rate: string | undefined, stages: string | undefined): GivenPace | null {
  if (rate !== undefined && stages !== undefined) throw new Error('--rate and --stages exclude each other');
  if (rate !== undefined) return { kind: 'rate', perSecond: number('--rate', rate, 1) };
  return stages === undefined ? null : { kind: 'stages', stages: stages.split(',').map(stageOf) };
}

function stageOf(text: string): RateStage {
  const [, perSecond, seconds] = /^(\d+):(\d+(?:\.\d+)?)s?$/.exec(text.trim()) ?? [];
  if (perSecond === undefined) throw new Error(`--stages ${text}: expected RATE:SECONDS`);
  return { perSecond: number('--stages', perSecond, 1), seconds: number('--stages', seconds!, 0.05) };
}

function isHttps(url: string): boolean {
  return new URL(url).protocol === 'https:';
}

function whole(flag: string, text: string): number {
  const value = number(flag, text, 1);
  if (!Number.isInteger(value)) throw new Error(`${flag} ${text}: expected a whole number`);
  return value;
}

function number(flag: string, text: string, least: number): number {
  const value = Number(text);
  if (!(value >= least)) throw new Error(`${flag} ${text}: expected a number of at least ${least}`);
  return value;
}
