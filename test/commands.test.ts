// Commands in the documents: each one is run here, or parsed as its program would parse it, or listed with the reason
// why neither is possible.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readPaceOptions } from '../bench/own/pace-options.js';
import { readCommandAndConfig } from '../bench/suite/options.js';
import { Server } from './support/server.js';

const run = promisify(execFile);
const root = new URL('../../', import.meta.url);
const DOCUMENTS = [
  'README',
  'CONTRIBUTING',
  'src/API',
  'deploy/README',
  'deploy/RECIPES',
  'bench/README',
  'bench/RESULTS',
  'test/README',
];
/** A code block and its language; blocks of commands have none. */
const BLOCK = /^```(\w*)\n([^]*?)^```$/gm;
/** A word, quoted or not. */
const WORD = /(?:"[^"]*"|'[^']*'|[^\s"'])+/g;

/** Programs that are not run here, and why. */
const UNTYPED: Readonly<Record<string, string>> = {
  useradd: 'changes the machine',
  install: 'changes the machine',
  systemctl: 'changes the machine; test/deploy/unit.test.ts reads what it starts',
  journalctl: 'reads the log of the machine',
  docker: 'there is no Docker in a test; test/deploy/image.test.ts and compose.test.ts read what it takes',
  cd: 'a folder, which a file named behind it needs',
  cp: 'a copy to be edited',
  openssl: 'a secret, which a test of messages of NATS makes likewise',
  kubectl: 'there is no cluster in a test; test/deploy/kubernetes.test.ts reads what it takes',
  'nats-server': 'tests of replicas start one by themselves',
  geth: 'a node',
  reth: 'a node',
  'xdg-open': 'opens a window',
  npx: 'the compiler and the formatter, which the build and the lint run',
};
/** npm scripts that pass on the words after `--`. */
const FLAGGED: Readonly<Record<string, (flags: readonly string[]) => unknown>> = {
  start: configured,
  'run bench': (flags) => readCommandAndConfig(flags),
  'run pace': (flags) => readPaceOptions(flags),
};

interface Typed {
  readonly document: string;
  readonly line: string;
  /** The output shown after it; '' if there is none. */
  readonly output: string;
}

/** Command lines of a document, without prompts, comments and output. */
function commandsOf(document: string): Typed[] {
  const text = readFileSync(new URL(`${document}.md`, root), 'utf8');
  const blocks = [...text.matchAll(BLOCK)].filter(([, language]) => language === '');
  return blocks.flatMap(([, , block]) => linesOf(block!)).map((typed) => ({ document, ...typed }));
}

function linesOf(block: string): Omit<Typed, 'document'>[] {
  const whole = block.replaceAll(/\\\n\s+/g, '').replaceAll(/,\n {2}/g, ',');
  const lines = whole.split('\n').filter((line) => /\S/.test(line) && !line.startsWith('#'));
  const [, ...prompted] = `\n${lines.join('\n')}\n`.split('\n$ ');
  if (prompted.length === 0) return lines.flatMap((line) => line.split(' && ')).map((line) => ({ line, output: '' }));
  return prompted.map((each) => {
    const [line, ...output] = each.split('\n');
    return { line: line!, output: output.join('\n').trim() };
  });
}

/** Words as a shell passes them, without variables and comments. */
function wordsOf(line: string): string[] {
  const words = [...line.replace(/\s+#.*$/, '').matchAll(WORD)].map(([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'),
  );
  const program = words.slice(words.findIndex((word) => !/^[A-Z_]+=/.test(word)));
  // Drop the list of cores.
  return program[0] === 'taskset' ? program.slice(3) : program;
}

/** Parses the configuration completely, without starting anything. */
async function configured(flags: readonly string[]): Promise<void> {
  const main = fileURLToPath(new URL('dist/src/main.js', root));
  await run(process.execPath, [main, ...flags, '--check-config'], { cwd: fileURLToPath(root) });
}

function scripted(words: readonly string[]): unknown {
  const end = words.indexOf('--');
  const [script, flags] = end < 0 ? [words, []] : [words.slice(0, end), words.slice(end + 1)];
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { scripts: object };
  const name = script.find((word) => word !== 'run')!;
  if (name === 'install' || name === 'ci') return undefined;
  assert.ok(Object.hasOwn(scripts, name), `npm ${words.join(' ')}`);
  const read = FLAGGED[script.join(' ')];
  assert.ok(flags.length === 0 || read !== undefined || name === 'fuzz' || name === 'spec', words.join(' '));
  return read?.(flags);
}

/** A program of the build; parts of test names must match tests. */
function built([file = '', ...words]: readonly string[]): void {
  if (!/[A-Z]/.test(file)) assert.ok(existsSync(new URL(file, root)), file);
  if (file !== 'dist/test/run.js') return;
  const parts = words
    .slice(0, words.findIndex((word) => word.startsWith('--')) >>> 0)
    .filter((word) => /[a-z]/.test(word));
  const files = readdirSync(new URL('dist/test', root), { recursive: true, encoding: 'utf8' });
  for (const part of parts)
    assert.ok(
      files.some((name) => name.includes(part)),
      `no test is in ${part}`,
    );
}

let server: Server;
before(async () => (server = await Server.start('--dev-traffic', '0')));
after(() => server.stop());

/**
 * Sends the document's request to a dev chain instead of the default address; `output` is the response as far as it is
 * shown.
 */
async function expectAnswer(program: string, words: readonly string[], output: string): Promise<void> {
  const own = words.map((word) => word.replace('http://127.0.0.1:8545', server.url));
  const { stdout } = await run(program, own, { env: { ...process.env, ETH_RPC_URL: server.url } });
  assert.match(stdout, /\S/);
  assert.doesNotMatch(stdout, /"error"/);
  if (output !== '') assert.equal(stdout.trim(), output);
}

const TYPED: Readonly<Record<string, (words: readonly string[], output: string) => unknown>> = {
  npm: scripted,
  node: built,
  cast: (words, output) => expectAnswer(fileURLToPath(new URL('node_modules/.bin/cast', root)), words, output),
  curl: (words, output) => expectAnswer('curl', words, output),
  prestate: (words) => (words[0] === 'bench' ? readCommandAndConfig(words.slice(1)) : configured(words)),
};

const COMMANDS = DOCUMENTS.flatMap(commandsOf).map((typed) => ({ ...typed, ...programOf(typed.line) }));

function programOf(line: string): { readonly program: string; readonly rest: readonly string[] } {
  const words = wordsOf(line);
  const [program = '', ...rest] =
    words[0] === 'npx' && words[1] === 'prestate-rpc' ? ['prestate', ...words.slice(2)] : words;
  return { program, rest };
}

test('every command is typed or has a reason not to be', () => {
  const programs = new Set(COMMANDS.map(({ program }) => program));
  assert.deepEqual([...programs].toSorted(), [...Object.keys(TYPED), ...Object.keys(UNTYPED)].toSorted());
});

for (const { document, line, output, program, rest } of COMMANDS)
  if (program in TYPED) test(`${document}.md: ${line}`, async () => void (await TYPED[program]!(rest, output)));
