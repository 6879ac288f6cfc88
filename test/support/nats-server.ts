// A real NATS server with JetStream on a free port, in a folder of its own. Tests skip where it is not installed.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { until } from './patience.js';

const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/usr/local/sbin` };

/** Reason for which tests that need the server are skipped; `false`: they are not. */
export const NO_NATS: string | false =
  spawnSync('nats-server', ['--version'], { env }).status === 0 ? false : 'nats-server is not installed';

/** Until `stop`. What it has stored outlives `kill` and `start`. */
export class NatsServer {
  readonly url: string;
  readonly #flags: readonly string[];
  readonly #folder: string;
  readonly #port: number;
  #child: ChildProcess | null = null;

  private constructor(port: number, flags: readonly string[]) {
    this.#port = port;
    this.#flags = flags;
    this.#folder = mkdtempSync(join(tmpdir(), 'prestate-nats-'));
    this.url = `nats://127.0.0.1:${port}`;
  }

  /** Starts with these flags beside those for JetStream; resolves once it listens. */
  static async start(...flags: string[]): Promise<NatsServer> {
    const server = new NatsServer(Number(await freePort()), flags);
    await server.start();
    return server;
  }

  /** After `kill`: the same port, and what was stored. */
  async start(): Promise<void> {
    const place = ['-a', '127.0.0.1', '-p', String(this.#port), '-js', '-sd', join(this.#folder, 'js')];
    const child = (this.#child = spawn('nats-server', [...place, ...this.#flags], { env, stdio: 'ignore' }));
    await until(() => {
      if (child.exitCode !== null) throw new Error(`nats-server has ended with code ${child.exitCode}`);
      return isListening(this.#port);
    }, 'nats-server listens');
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }

  /** Stops what was stopped for a while. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(signal);
  }

  /** Forgets everything that was stored; while it is not running. */
  lose(): void {
    rmSync(join(this.#folder, 'js'), { recursive: true, force: true });
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const listens = await Promise.race([
    once(socket, 'connect').then(
      () => true,
      () => false,
    ),
    once(socket, 'error').then(() => false),
  ]);
  socket.destroy();
  return listens;
}
