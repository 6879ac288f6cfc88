// Failures: hostile jobs are answered and have no effect; an impossible start explains itself in one line.
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { assemble } from '../support/assembler.js';
import { type RpcAnswer, Server } from '../support/server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type Program, launchThrough, runToEnd } from './program.js';

const TARGET = `0x${'b4'.repeat(20)}`;
const folder = temporaryFolder();

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('a hostile job', () => {
  let server: Server;
  before(async () => {
    server = await Server.start('--workers', '1', '--dev-traffic', '0');
  });
  after(() => server.stop());

  function query(method: 'eth_call' | 'eth_estimateGas', ...code: string[]): Promise<RpcAnswer> {
    return server.query(method, [{ to: TARGET }, 'latest', { [TARGET]: { code: assemble(...code) } }]);
  }

  async function assertAlive(): Promise<void> {
    assert.equal((await server.query('eth_estimateGas', [{ to: `0x${'aa'.repeat(20)}` }])).result, '0x5208');
  }

  test('a job that expands memory beyond all bounds runs out of gas', async () => {
    const outOfGas = 'gas required exceeds allowance (16777216)';
    for (const [offset, message] of [
      ['0x3fffffff', outOfGas],
      ['0xffffffff', outOfGas],
      [`0x${'f'.repeat(16)}`, 'gas uint64 overflow'],
      [`0x${'f'.repeat(64)}`, 'gas uint64 overflow'],
    ] as const) {
      const { error } = await query('eth_estimateGas', `PUSH 1; PUSH ${offset}; MSTORE`);
      assert.deepEqual(error, { code: -32_000, message });
    }
    await assertAlive();
  });

  test('a job that returns all the memory it can pay for is answered', async () => {
    const { result } = await query('eth_call', 'PUSH 0x400000; PUSH 0; RETURN');
    assert.equal((result as string).length, 2 + 2 * 0x400000);
    await assertAlive();
  });

  test('a job that recurses to the maximum call depth is answered', async () => {
    const { result } = await query(
      'eth_call',
      'PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 0; ADDRESS; GAS; CALL; PUSH 0; MSTORE; PUSH 32; PUSH 0; RETURN',
    );
    assert.match(result as string, /^0x0{63}[01]$/);
    await assertAlive();
  });

  test('a precompile call that cannot end before the deadline gets an error, and its worker continues', async () => {
    await server.stop();
    const flags = ['--workers', '1', '--estimate-timeout', '1000', '--gas-cap', '4000000000', '--dev-traffic', '0'];
    server = await Server.start(...flags);
    // One call of BLAKE2F with nearly as many rounds as the gas pays for; it contains no jump at which the deadline is
    // checked.
    const { error } = await query(
      'eth_call',
      'PUSH 0xe0000000; PUSH 224; SHL; PUSH 0; MSTORE; PUSH 0; PUSH 0; PUSH 213; PUSH 0; PUSH 9; GAS; STATICCALL',
    );
    assert.deepEqual(error, { code: -32_000, message: 'execution aborted (timeout = 1s)' });
    await assertAlive();
    assert.equal(await server.stop(), 0);
  });
});

const noJson = file('no.json', 'genesis');
const noGenesis = file('list.json', '[]');
const noChain = file('chain.rlp', Buffer.from('c0c0', 'hex'));
const BAD_VALUE = /^prestate: (--\S+|PRESTATE_\S+) \S+: [^\n]+\n$/;

/** Flags, the expected line, and the environment; `test/config/config.test.ts` has more invalid flags. */
const BAD_STARTS: readonly (readonly [flags: string[], line: RegExp, environment?: Record<string, string>])[] = [
  [['--nonsense'], /--nonsense/],
  [['--port', 'http'], BAD_VALUE],
  [['--chain', noChain], /--chain needs --genesis/],
  [['--genesis', join(folder, 'missing.json')], /missing\.json/],
  [['--genesis', folder], /genesis|directory/i],
  [['--genesis', noJson], /no\.json/],
  [['--genesis', noGenesis], /list\.json/],
  [['--help='], /--?h/],
  [[], BAD_VALUE, { PRESTATE_PORT: 'http' }],
];

describe('an impossible start', () => {
  for (const [flags, line, environment] of BAD_STARTS) {
    const requested = [...flags, ...Object.entries(environment ?? {}).map(([name, value]) => `${name}=${value}`)];
    test(requested.join(' ').replaceAll(folder, '.'), async () => {
      const { code, stdout, stderr } = await runToEnd(flags, environment);
      assert.match(stderr, line);
      assert.match(stderr, /^prestate: [^\n]+\n$/);
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
    });
  }

  test('a port in use gives exit code 1, and nothing is left behind', async () => {
    const server = await Server.start('--dev-traffic', '0');
    const temporary = temporaryFolder();
    const { port } = new URL(server.url);
    const { code, stderr } = await runToEnd(['--port', port, '--dev-traffic', '0'], { TMPDIR: temporary });
    await server.stop();
    assert.match(stderr, /^prestate: [^\n]*in use[^\n]*\n$/i);
    assert.equal(code, 1);
    assert.deepEqual(readdirSync(temporary), []);
  });
});

/** The shell's `ulimit`, the number of workers, and the expected line. */
const TOO_LITTLE: readonly (readonly [limit: string, workers: number, line: RegExp])[] = [
  ['-v 4000000', 1, /--workers 1 needs \d+ GiB of address space, the system allows 3 GiB/],
  [`-v ${40 * 2 ** 20}`, 1, /needs \d+ GiB of address space, the system allows 40 GiB/],
  [`-v ${200 * 2 ** 20}`, 8, /--workers 8 needs \d+ GiB of address space, the system allows 200 GiB/],
  ['-n 32', 1, /needs 272 open files, the system allows 32/],
  ['-n 271', 1, /needs 272 open files, the system allows 271/],
  ['-n 300', 8, /--workers 8 needs 384 open files, the system allows 300/],
];

function limited(limit: string, workers: number): Program {
  return launchThrough(['sh', '-c', `ulimit ${limit}; exec "$0" "$@"`], ['--port', '0', '--workers', String(workers)]);
}

/** The program under this limit, without addons. */
function limitedWithoutAddons(limit: string, workers: number): Program {
  const hide = new URL('../support/without-addons.js', import.meta.url).href;
  return limited(`${limit}; export NODE_OPTIONS="--import ${hide}"`, workers);
}

describe('with low system limits', { skip: process.platform !== 'linux' }, () => {
  for (const [limit, workers, line] of TOO_LITTLE) {
    test(`ulimit ${limit}, ${workers} workers: refused with a one-line error`, async () => {
      const { code, signal, stdout, stderr } = await limited(limit, workers).ended;
      assert.match(stderr, /^prestate: [^\n]+\n$/);
      assert.match(stderr, line);
      assert.deepEqual({ code, signal, stdout }, { code: 1, signal: null, stdout: '' });
    });
  }

  for (const [limit, said, start] of [
    [`-v ${200 * 2 ** 20}`, /listening/, limited],
    [`-v ${200 * 2 ** 20}`, /"precompiles":"in JavaScript[^]*listening/, limitedWithoutAddons],
    ['-n 272', /"socketsMax":64,[^\n]*file descriptors bound the WebSockets[^]*listening/, limited],
  ] as const) {
    test(`ulimit ${limit}: ${start.name} serves`, async () => {
      const program = start(limit, 1);
      await program.printed(/listening/);
      program.process.kill('SIGTERM');
      const { code, stderr } = await program.ended;
      assert.match(program.stdout, said);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    });
  }
});

describe('the command line', () => {
  test('--version and --help end with 0', async () => {
    const [version, help] = await Promise.all([runToEnd(['--version']), runToEnd(['--help'])]);
    const [program = '', node, system, ...rest] = version.stdout.trimEnd().split(', ');
    assert.match(program, /^prestate \d+\.\d+\.\d+( \([0-9a-f]{12}\+?\))?$/);
    assert.deepEqual([node, system], [`Node.js ${process.version}`, `${process.platform} ${process.arch}`]);
    assert.match(rest.join(', '), /^addon \w+, rules up to \w+ and, on the OP Stack, \w+$/);
    assert.match(help.stdout, /--data-dir DIR /);
    for (const { code, stderr } of [version, help]) assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  });

  test('ready probes a running program, and reports why if none answers', async () => {
    const server = await Server.start();
    const flags = ['ready', '--port', new URL(server.url).port];
    try {
      assert.deepEqual(await runToEnd(flags), { code: 0, signal: null, stdout: 'ready\n', stderr: '' });
    } finally {
      await server.stop();
    }
    const { code, stderr } = await runToEnd(flags);
    assert.match(stderr, /^prestate: http:\/\/127\.0\.0\.1:\d+\/readyz: .*ECONNREFUSED/);
    assert.equal(code, 1);
  });

  test('a flag overrides the environment, the environment overrides the default', async () => {
    const environment = { PRESTATE_PORT: '1', PRESTATE_LOG_LEVEL: 'loud' };
    const { stderr } = await runToEnd(['--port', '0'], environment);
    assert.match(stderr, /^prestate: PRESTATE_LOG_LEVEL loud: /);
  });
});
