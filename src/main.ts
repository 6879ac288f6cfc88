#!/usr/bin/env node
// The program: command line, environment, signals and exit codes. The only file that touches `process`. Runs on main.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { pino } from 'pino';
import { readCommand, type Config } from './config.js';
import { Engine } from './engine.js';
import { StartError } from './start-error.js';

const EXIT_CONFIGURATION = 2;
const EXIT_FAILURE = 1;

function version(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

function leave(message: string, exitCode: number): never {
  process.stderr.write(`prestate: ${message}\n`);
  process.exit(exitCode);
}

async function run(config: Config): Promise<void> {
  const log = pino({ level: config['log-level'] }, pino.destination({ dest: 1, sync: true }));
  const cores = availableParallelism();
  const engine = new Engine(config, { log, version: version(), cores, onFatal: leave });
  const stop = (signal: string): void => {
    log.info({ signal }, 'stopping');
    engine.stop().then(
      () => process.exit(0),
      (error: unknown) => leave((error as Error).message, EXIT_FAILURE),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  await engine.start();
}

const command = readCommand(process.argv.slice(2), process.env);
switch (command.kind) {
  case 'help':
    process.stdout.write(`${command.text}\n`);
    break;
  case 'version':
    process.stdout.write(`${version()}\n`);
    break;
  case 'invalid':
    leave(command.message, EXIT_CONFIGURATION);
    break;
  case 'run':
    run(command.config).catch((error: unknown) => {
      leave((error as Error).message, error instanceof StartError ? error.exitCode : EXIT_FAILURE);
    });
}
