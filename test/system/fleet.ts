// A dev chain, two executors that publish it, two replicas and the NATS server between them, each in its own process;
// and a comparison of what all of them report for the same positions.
import assert from 'node:assert/strict';
import { DEV_GOLD_TOKEN, DEV_SWAP_POOL, TRAFFIC_ACCOUNTS } from '../../src/feed/dev/genesis.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { freePort } from '../support/free-port.js';
import { NatsServer } from '../support/nats-server.js';
import { until } from '../support/patience.js';
import { Server, metric } from '../support/server.js';
import { queryAll, type Block, type Call } from './batch.js';

const ACCOUNTS = TRAFFIC_ACCOUNTS.slice(0, 6).map(toHex);
const SWAP_TO = `0x${'5a'.repeat(20)}`;
const REPLICAS = 2;
const LIGHT = ['--workers', '1', '--log-format', 'json'];

function questions(tag: 'latest' | 'pending'): Call[] {
  return [
    ['eth_getBlockByNumber', tag, false],
    ...ACCOUNTS.map((address): Call => ['eth_getTransactionCount', address, tag]),
    ...ACCOUNTS.map((address): Call => ['eth_getBalance', address, tag]),
    ...['0x0', '0x1', '0x2', '0x3'].map((slot): Call => ['eth_getStorageAt', toHex(DEV_SWAP_POOL), slot, tag]),
    ['eth_estimateGas', { from: ACCOUNTS[0], to: SWAP_TO, value: '0x1' }, tag],
    ['eth_call', { to: toHex(DEV_GOLD_TOKEN), data: `0x70a08231${ACCOUNTS[1]!.slice(2).padStart(64, '0')}` }, tag],
  ];
}

const PENDING = questions('pending');
const LATEST = [...questions('latest'), ['eth_getBlockReceipts', 'latest'] as const, ['eth_getLogs', {}] as const];

/** The processes by name; each may be killed and restarted. */
export class Fleet {
  readonly nats: NatsServer;
  readonly chain: Server;
  readonly programs = new Map<string, Server>();
  readonly #feed: string;

  private constructor(nats: NatsServer, chain: Server, feed: string) {
    this.nats = nats;
    this.chain = chain;
    this.#feed = feed;
  }

  /** The first executor leads; the others start once it does. */
  static async start(): Promise<Fleet> {
    const feedPort = await freePort();
    const nats = await NatsServer.start();
    const chain = await Server.start('--dev-traffic', '20', '--dev-feed-port', feedPort, ...LIGHT);
    const fleet = new Fleet(nats, chain, `ws://127.0.0.1:${feedPort}`);
    await fleet.startProgram('executor 1');
    const others = ['executor 2', ...Array.from({ length: REPLICAS }, (_, at) => `replica ${at + 1}`)];
    await Promise.all(others.map((name) => fleet.startProgram(name)));
    return fleet;
  }

  /** The first start, or a restart after `kill`. */
  async startProgram(name: string): Promise<void> {
    const upstream = ['--upstream', this.chain.url, '--feed', this.#feed, '--publish', this.nats.url];
    const flags = name.startsWith('executor') ? upstream : ['--follow', this.nats.url];
    this.programs.set(name, await Server.start(...flags, ...LIGHT));
  }

  /** Kills the process without notice. */
  async kill(name: string): Promise<void> {
    const program = this.programs.get(name)!;
    this.programs.delete(name);
    await program.stop('SIGKILL');
  }

  /** The executor that leads now; `undefined` if none does. */
  async leader(): Promise<string | undefined> {
    for (const [name, program] of this.programs) {
      if (name.startsWith('executor') && (await metric(program, 'replication_leads')) === 1) return name;
    }
    return undefined;
  }

  /** Waits until all report ready. */
  async ready(): Promise<void> {
    let missing = '';
    const isReady = async ([name, program]: readonly [string, Server]): Promise<boolean> => {
      const response = await fetch(`${program.url}/readyz`).catch(() => null);
      if (response?.status === 200) return true;
      missing = `${name}: ${(await response?.text()) ?? 'no answer'}`;
      return false;
    };
    await until(
      async () => {
        await this.#revive();
        return (await Promise.all([...this.programs].map(isReady))).every(Boolean);
      },
      () => `all are ready: ${missing}`,
    );
  }

  /**
   * Acts as the supervisor: restarts a leader that has exited because it lost its lease, as happens on a slow machine.
   */
  async #revive(): Promise<void> {
    const ended = [...this.programs].filter(([, { process }]) => process.exitCode !== null);
    for (const [name, { log }] of ended)
      assert.match(log.join('\n'), /another executor leads now/, `${name} has ended`);
    await Promise.all(ended.map(([name]) => this.startProgram(name)));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.programs.values()].map((program) => program.stop('SIGKILL')));
    await this.chain.stop('SIGKILL');
    await this.nats.kill();
  }
}

/** What any program reported for each position; all reports of one position must be equal. */
export class Comparison {
  readonly #reported = new Map<string, { readonly text: string; readonly by: Set<string> }>();
  readonly #latest = new Map<string, number>();
  /** Requests refused while there was no leader or no connection. */
  refused = 0;

  /** Number of positions that more than one program has reported. */
  get positions(): number {
    return [...this.#reported.values()].filter(({ by }) => by.size > 1).length;
  }

  /** Queries one program; ignored if it is dead or refuses. */
  async poll(name: string, program: Server): Promise<void> {
    for (const [kind, calls] of [
      ['pending', PENDING],
      ['latest', LATEST],
    ] as const) {
      const requested = await queryAll(program, calls).catch(() => null);
      if (requested === null || requested.answers.some(({ error }) => error !== undefined)) this.refused++;
      else
        this.#note(
          name,
          kind,
          requested.answers.map(({ result }) => result),
          requested.at,
        );
    }
  }

  /** Queries all programs concurrently. */
  async pollAll({ programs }: Fleet): Promise<void> {
    await Promise.all([...programs].map(([name, program]) => this.poll(name, program)));
  }

  /** Number of positions of a kind that both programs have reported. */
  common(one: string, other: string, kind: 'latest' | 'pending'): number {
    return [...this.#reported].filter(([position, { by }]) => position.startsWith(kind) && by.has(one) && by.has(other))
      .length;
  }

  /** Polls until each replica shares this many more positions with the leading executor. */
  async until(fleet: Fleet, least: { readonly latest: number; readonly pending: number }): Promise<void> {
    const names = [...fleet.programs.keys()];
    const executor = (await fleet.leader()) ?? 'executor 1';
    const others = names.filter((name) => name !== executor);
    const counts = (kind: 'latest' | 'pending'): number[] => others.map((name) => this.common(executor, name, kind));
    const [latest, pending] = [counts('latest'), counts('pending')];
    await until(
      async () => {
        await this.pollAll(fleet);
        return isMore(counts('latest'), latest, least.latest) && isMore(counts('pending'), pending, least.pending);
      },
      () =>
        `positions compared with ${executor}: ${JSON.stringify({ others, latest: counts('latest'), pending: counts('pending') })}`,
    );
  }

  #note(name: string, kind: 'latest' | 'pending', results: readonly unknown[], at: Headers): void {
    const block = results[0] as Block;
    const where = `${at.get('x-block-number')} ${at.get('x-preconf-index')} ${block.hash}`;
    const position = kind === 'latest' ? `latest ${block.hash}` : `pending ${where} ${block.parentHash}`;
    const { number, parentHash, timestamp } = block;
    const head = kind === 'latest' ? block : { number, parentHash, timestamp };
    const text = JSON.stringify([head, results.slice(1)]);
    const known = this.#reported.get(position);
    const before = known === undefined ? '' : ` before by ${[...known.by].join(', ')}`;
    assert.equal(text, known?.text ?? text, `${position} is described in another way by ${name} than${before}`);
    if (known === undefined) this.#reported.set(position, { text, by: new Set([name]) });
    else known.by.add(name);
    if (kind !== 'latest') return;
    assert.ok(Number(number) >= (this.#latest.get(name) ?? 0) - 1, `latest went back at ${name}`);
    this.#latest.set(name, Number(number));
  }
}

function isMore(now: readonly number[], before: readonly number[], by: number): boolean {
  return now.every((count, at) => count >= before[at]! + by);
}
