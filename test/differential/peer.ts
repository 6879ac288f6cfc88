// anvil as the second implementation, started on a genesis file.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { PATIENCE_MS } from '../support/patience.js';

const ANVIL = fileURLToPath(new URL('../../../node_modules/.bin/anvil', import.meta.url));

export class Peer {
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.#process = child;
    this.url = url;
  }

  /** Starts with the state of `genesisFile`, no predefined accounts, and these flags; resolves once it listens. */
  static async start(genesisFile: string, chainId: number, gasLimit: number, ...more: string[]): Promise<Peer> {
    const flags = ['--init', genesisFile, '--chain-id', `${chainId}`, '--hardfork', 'osaka', '--accounts', '0'];
    // Calls do not see the gas limit in the genesis file.
    const limit = ['--gas-limit', `${gasLimit}`];
    const bare = ['--no-mining', '--disable-default-create2-deployer', '--host', '127.0.0.1', '--port', '0'];
    const child = spawn(ANVIL, [...flags, ...limit, ...bare, ...more], { stdio: ['ignore', 'pipe', 'inherit'] });
    const url = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`anvil: no start within ${PATIENCE_MS} ms`)), PATIENCE_MS);
      child.once('exit', (code) => reject(new Error(`anvil: exit ${code}`)));
      createInterface({ input: child.stdout }).on('line', (line) => {
        const place = /^Listening on (127\.0\.0\.1:\d+)/.exec(line)?.[1];
        if (place === undefined) return;
        clearTimeout(timer);
        resolve(`http://${place}`);
      });
    });
    return new Peer(child, url);
  }

  /** The launcher forwards the signal. */
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.kill('SIGTERM');
    await once(this.#process, 'exit');
  }
}
