// How fast are gas estimates beside anvil's? Transfers, a real ERC-20, a real Uniswap V2 swap and loops on the same genesis,
// loaded in turns by wrk in one run, every request another one. Both servers have to answer the same before they are timed.
// Then one connection: how long does a single estimate take?
// Usage: node dist/bench/estimates.bench.js [seconds a turn] [connections] [part of a name]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toHex } from '../src/lib/hex.js';
import { callAt, deployContractSet, SENDER, type CallName, type CallTemplate } from '../test/support/contract-set.js';
import { writeGethGenesis } from './geth-genesis.js';
import { type Program, startAnvil, startScript } from './program.js';
import { median, printHead, printRow } from './support/timing.js';
import { type LoadResult, hasWrk, wrk } from './wrk.js';

const ROUNDS = 3;
/** Answers compared before a question is timed. */
const COMPARED = 20;
const WARM_UP_SECONDS = 2;
/** A turn is long enough for this many answers a connection where the slower server makes that many in time. */
const ANSWERS_A_CONNECTION = 4;
const TURN_SECONDS_MAX = 15;
/** Requests of one load at most: the next one begins with others. */
const LOAD_REQUESTS_MAX = 2_000_000;
/** Times as many estimates a second as anvil. */
const TARGETS: Readonly<Partial<Record<CallName, number>>> = {
  'plain transfer': 1.3,
  'ERC-20 transfer': 3,
  'V2 router swap': 10,
  compute: 15,
  '50 slots': 10,
};

const SIDES = ['ours', 'anvil'] as const;
type Side = (typeof SIDES)[number];
type Programs = Readonly<Record<Side, Program>>;

interface Turn extends LoadResult {
  /** Processor time of all threads, microseconds an answer: hardly moved by other load on the machine. */
  readonly cpuUs: number;
}

interface Question {
  readonly name: CallName;
  readonly target: number;
  readonly template: CallTemplate;
  /** Body of a request, its counter as wrk.ts wants it. */
  readonly body: string;
}

const HEADINGS = [
  'ours /s',
  'anvil /s',
  'ratio',
  'target',
  'ours p50 ms',
  'anvil p50 ms',
  'ours p99 ms',
  'anvil p99 ms',
  'ours cpu us',
  'anvil cpu us',
  'cpu ratio',
  'ours refused',
  'anvil refused',
];

async function main(): Promise<void> {
  if (!hasWrk()) throw new Error('this bench needs wrk on the path');
  const [seconds, connections] = [Number(process.argv[2] ?? 3), Number(process.argv[3] ?? 64)];
  const folder = mkdtempSync(join(tmpdir(), 'prestate-bench-'));
  const set = await deployContractSet();
  const genesis = join(folder, 'genesis.json');
  writeGethGenesis(genesis, set.state);
  const anvil = await startAnvil('--init', genesis, '--hardfork', 'osaka', '--no-mining');
  const ours = await startScript('src/main.js', '--port', '0', '--genesis', genesis);
  try {
    await compare(questionsOf(set.calls, process.argv[4] ?? ''), { ours, anvil }, seconds, connections);
  } finally {
    await anvil.stop();
    await ours.stop();
    rmSync(folder, { recursive: true });
  }
}

function questionsOf(calls: readonly CallTemplate[], part: string): Question[] {
  return calls.flatMap((template) => {
    const { name } = template;
    const target = TARGETS[name];
    if (target === undefined || !name.includes(part)) return [];
    return [{ name, target, template, body: bodyOf({ from: SENDER, ...callTexts(template) }) }];
  });
}

function callTexts({ to, value, data }: CallTemplate): Record<string, string> {
  return { to, ...(value === undefined ? {} : { value }), ...(data === undefined ? {} : { data }) };
}

function bodyOf(call: Readonly<Record<string, string>>): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_estimateGas', params: [call, 'latest'] });
}

async function compare(
  questions: readonly Question[],
  programs: Programs,
  seconds: number,
  connections: number,
): Promise<void> {
  for (const question of questions) await checkAnswers(question, programs);
  printHead(`${connections} connections`, ...HEADINGS);
  for (const question of questions)
    printRow(question.name, ...(await loaded(question, programs, seconds, connections)));
  printHead('1 connection', 'ours p50 ms', 'anvil p50 ms', 'target', 'ours p99 ms', 'anvil p99 ms');
  for (const question of questions) printRow(question.name, ...(await alone(question, programs, seconds)));
}

/** Throws where the servers do not answer the same number for the same question. */
async function checkAnswers({ name, template }: Question, { ours, anvil }: Programs): Promise<void> {
  for (let number = 1; number <= COMPARED; number++) {
    const { value, data } = callAt(template, number);
    const call = {
      from: SENDER,
      to: template.to,
      ...(value === undefined ? {} : { value: `0x${value.toString(16)}` }),
      ...(data === undefined ? {} : { data: typeof data === 'string' ? data : toHex(data) }),
    };
    const [mine, theirs] = [await ask(ours.url, bodyOf(call)), await ask(anvil.url, bodyOf(call))];
    if (mine !== theirs) throw new Error(`${name} ${number}: ours answers ${mine}, anvil ${theirs}`);
  }
}

async function ask(url: string, body: string): Promise<string> {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const answer = (await response.json()) as { readonly result?: string };
  if (answer.result === undefined) throw new Error(`${url}: ${JSON.stringify(answer)}`);
  return answer.result;
}

async function loaded(
  question: Question,
  programs: Programs,
  seconds: number,
  connections: number,
): Promise<readonly string[]> {
  const { ours, anvil } = await inTurns(question, programs, seconds, connections);
  const rates = [perSecond(ours), perSecond(anvil)] as const;
  const times = [p50(ours), p50(anvil), p99(ours), p99(anvil)].map((time) => time.toFixed(2));
  const cpu = [ours, anvil].map((turns) => median(turns.map(({ cpuUs }) => cpuUs)));
  const work = [...cpu.map((time) => time.toFixed(0)), (cpu[1]! / cpu[0]!).toFixed(2)];
  const ratio = (rates[0] / rates[1]).toFixed(2);
  return [
    ...rates.map((rate) => rate.toFixed(0)),
    ratio,
    `>= ${question.target}`,
    ...times,
    ...work,
    refused(ours),
    refused(anvil),
  ];
}

async function alone(question: Question, programs: Programs, seconds: number): Promise<readonly string[]> {
  const { ours, anvil } = await inTurns(question, programs, seconds, 1);
  const [mine, theirs] = [p50(ours).toFixed(3), p50(anvil).toFixed(3)];
  return [mine, theirs, `<= ${theirs}`, p99(ours).toFixed(3), p99(anvil).toFixed(3)];
}

/** Both servers warmed up and then loaded alternately, so that what else the machine does meets both. */
async function inTurns(
  { body }: Question,
  programs: Programs,
  seconds: number,
  connections: number,
): Promise<Readonly<Record<Side, Turn[]>>> {
  const turns: Record<Side, Turn[]> = { ours: [], anvil: [] };
  let length = seconds;
  for (const side of SIDES) {
    const { requestsPerSecond } = await turn(programs[side], body, WARM_UP_SECONDS, connections, 0);
    length = Math.max(length, Math.ceil((ANSWERS_A_CONNECTION * connections) / requestsPerSecond));
  }
  for (let round = 1; round <= ROUNDS; round++) {
    for (const side of SIDES) {
      const result = await turn(programs[side], body, Math.min(length, TURN_SECONDS_MAX), connections, round);
      turns[side].push(result);
    }
  }
  return turns;
}

async function turn(
  program: Program,
  body: string,
  seconds: number,
  connections: number,
  round: number,
): Promise<Turn> {
  const { url } = program;
  const before = program.allCpuSeconds();
  const first = round * LOAD_REQUESTS_MAX;
  const result = await wrk({ url, bodies: [body], connections, seconds, checked: true, first });
  const answered = result.requests - result.failures;
  return { ...result, cpuUs: ((program.allCpuSeconds() - before) * 1e6) / answered };
}

/** Only what was answered: a server under too much load may refuse. */
function perSecond(turns: readonly LoadResult[]): number {
  return median(turns.map((result) => result.requestsPerSecond * (1 - result.failures / result.requests)));
}

function refused(turns: readonly LoadResult[]): string {
  const failures = sum(turns.map((result) => result.failures));
  const requests = sum(turns.map((result) => result.requests));
  return `${((100 * failures) / requests).toFixed(1)} %`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function p50(turns: readonly LoadResult[]): number {
  return median(turns.map((result) => result.p50Ms));
}

function p99(turns: readonly LoadResult[]): number {
  return median(turns.map((result) => result.p99Ms));
}

await main();
