// A real NATS server with JetStream on a free port and in its own folder. Tests skip if it is not installed.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { until } from './patience.js';
import { temporaryFolder } from './temporary-folder.js';

const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/usr/local/sbin` };

/** Why tests that need the server are skipped, or `false` if they can run. */
export const NO_NATS: string | false =
  spawnSync('nats-server', ['--version'], { env }).status === 0 ? false : 'nats-server is not installed';

/** A server that runs until `kill`. Its stored data survive `kill` and `start`, until this process ends. */
export class NatsServer {
  readonly url: string;
  readonly #flags: readonly string[];
  readonly #folder = temporaryFolder();
  readonly #port: number;
  #child: ChildProcess | null = null;

  private constructor(port: number, flags: readonly string[]) {
    this.#port = port;
    this.#flags = flags;
    this.url = `nats://127.0.0.1:${port}`;
  }

  /** Starts with these flags in addition to those for JetStream; resolves once it listens. */
  static async start(...flags: string[]): Promise<NatsServer> {
    const server = new NatsServer(Number(await freePort()), flags);
    await server.start();
    return server;
  }

  /** Starts again after `kill`, with the same port and data. */
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

  /** Pauses or resumes the server's process. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(signal);
  }

  /** Deletes everything it has stored. Only while it is not running. */
  lose(): void {
    rmSync(join(this.#folder, 'js'), { recursive: true, force: true });
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
