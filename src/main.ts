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
  const onFatal = (message: string, exitCode: number): void => {
    log.error(message);
    void engine.stop().finally(() => leave(message, exitCode));
  };
  const engine = new Engine(config, { log, version: version(), cores: availableParallelism(), onFatal });
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    log.info({ signal }, 'stopping');
    await engine.stop();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => stop(signal).catch((error: unknown) => leave((error as Error).message, EXIT_FAILURE)));
  }
  try {
    await engine.start();
  } catch (error) {
    await engine.stop();
    throw error;
  }
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
  case 'run':
    run(command.config).catch((error: unknown) => {
      leave((error as Error).message, error instanceof StartError ? error.exitCode : EXIT_FAILURE);
    });
}
