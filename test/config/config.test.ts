// The configuration: what command line, environment and file may contain, and the defaults.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { responseConventions, type Config } from '../../src/config/config.js';
import { readCommandAndConfig } from '../../src/config/read-settings.js';
import { temporaryFile, temporaryFolder } from '../support/temporary-folder.js';

function configOf(argv: readonly string[], environment: Readonly<Record<string, string>> = {}): Config {
  const command = readCommandAndConfig(argv, environment);
  assert.ok(command.kind === 'run', JSON.stringify(command));
  return command.config;
}

function complaintOf(...argv: string[]): string {
  const command = readCommandAndConfig(argv, {});
  assert.ok(command.kind === 'invalid', JSON.stringify(command));
  return command.faults.join('\n');
}

test('by default the kernel is on, and a small share of its results is cross-checked', () => {
  const config = configOf([]);
  assert.equal(config.kernel, 'on');
  assert.equal(config['kernel-check'], 0.0005);
});

test('flags and environment switch the kernel', () => {
  for (const mode of ['on', 'interpreted', 'off']) assert.equal(configOf(['--kernel', mode]).kernel, mode);
  assert.equal(configOf([], { PRESTATE_KERNEL: 'interpreted' }).kernel, 'interpreted');
  assert.equal(configOf(['--kernel', 'off'], { PRESTATE_KERNEL: 'interpreted' }).kernel, 'off');
});

test('memory sizes are bytes, or have the suffix k, m or g', () => {
  const memory = (text: string): number | undefined => configOf(['--state-memory', text])['state-memory'];
  assert.equal(configOf([])['state-memory'], undefined);
  assert.equal(memory('512m'), 512 * 2 ** 20);
  assert.equal(memory('6G'), 6 * 2 ** 30);
  assert.equal(memory('131072k'), 2 ** 27);
  assert.equal(memory('100000000'), 1e8);
  assert.equal(memory('1.5g'), 1.5 * 2 ** 30);
  assert.equal(configOf(['--body-max', '5m'])['body-max'], 5 * 2 ** 20);
  assert.equal(configOf(['--gas-cap', '30e6'])['gas-cap'], 30_000_000);
  for (const text of ['63m', '9g', '1', 'half', '1e3m', ''])
    assert.match(complaintOf(`--state-memory=${text}`), /^--state-memory/);
});

test('a share lies between 0 and 1', () => {
  for (const [text, share] of [
    ['0', 0],
    ['1', 1],
    ['0.25', 0.25],
  ] as const)
    assert.equal(configOf(['--kernel-check', text])['kernel-check'], share);
  assert.equal(configOf([], { PRESTATE_KERNEL_CHECK: '0.5' })['kernel-check'], 0.5);
  for (const text of ['1.5', 'all', '.5', '1e-3', ''])
    assert.match(complaintOf(`--kernel-check=${text}`), /^--kernel-check/);
  assert.match(complaintOf('--kernel', 'maybe'), /^--kernel maybe/);
});

test('--passthrough-methods lists forwarded methods, and refuses some', () => {
  const passing = ['--upstream', 'http://127.0.0.1:1', '--passthrough'];
  const listed = (text: string): readonly string[] =>
    configOf([...passing, '--passthrough-methods', text])['passthrough-methods'];
  assert.deepEqual(configOf([])['passthrough-methods'], ['standard']);
  assert.deepEqual(listed('standard,trace_*,debug_traceTransaction'), [
    'standard',
    'trace_*',
    'debug_traceTransaction',
  ]);
  assert.deepEqual(listed('*'), ['*']);
  assert.deepEqual(listed(''), []);
  for (const entry of ['admin_*', 'admin_peers', 'eth_sign*', 'eth_sendTransaction', 'debug_setHead', 'eth_subscribe'])
    assert.equal(
      complaintOf(...passing, '--passthrough-methods', `trace_*,${entry}`),
      `--passthrough-methods trace_*,${entry}: has ${entry}, which is never passed on`,
    );
  assert.match(
    complaintOf(...passing, '--passthrough-methods', 'trace_*,eth_sendRawTransactionSync'),
    /has eth_sendRawTransactionSync, which is served here by eth_sendRawTransaction: list that$/,
  );
  assert.deepEqual(listed('standard,eth_sendRawTransactionSync'), ['standard', 'eth_sendRawTransactionSync']);
  for (const entry of ['eth get', 'eth_*Logs', '**', 'eth.call']) {
    assert.match(complaintOf(...passing, '--passthrough-methods', entry), /has ".*", which is no method$/);
  }
});

test('an invalid URL is not shown, as it may contain a key', () => {
  assert.equal(
    complaintOf('--upstream', 'ftp://me:secret@node.example/v3/0123456789abcdef'),
    '--upstream: is not a http:// or https:// URL',
  );
});

test('--client-header must be a valid header name', () => {
  assert.equal(configOf([])['client-header'], undefined);
  assert.equal(configOf(['--client-header', 'X-Real-IP'])['client-header'], 'X-Real-IP');
  for (const text of ['x real ip', 'x:', '']) assert.match(complaintOf(`--client-header=${text}`), /^--client-header/);
});

test('an invalid value of a flag is refused', () => {
  for (const [flag, value] of [
    ['--port', 'http'],
    ['--port', '65536'],
    ['--port', '-1'],
    ['--workers', '0'],
    ['--workers', '1.5'],
    ['--dev-traffic', '1.5'],
    ['--estimate-timeout', '999999'],
    ['--log-level', 'loud'],
    ['--revert-error-code', '4'],
  ] as const) {
    const complaint = complaintOf(`${flag}=${value}`);
    assert.ok(complaint.startsWith(`${flag} ${value}: `) && !complaint.includes('\n'), complaint);
  }
  assert.match(complaintOf('extra'), /extra/);
  assert.match(complaintOf('--port'), /--port/);
  assert.match(faultsOf({ PRESTATE_DEV_TRAFFIC: '-5' }).join(), /^PRESTATE_DEV_TRAFFIC -5: /);
});

test('all faults are reported at once, with suggestions', () => {
  assert.deepEqual(complaintOf('--prot', '1', '--kernel', 'of', 'extra', '--gas-cap', '5').split('\n'), [
    'unknown flag --prot; did you mean --port?',
    'unexpected argument extra',
    '--gas-cap 5: is not between 21000 and 9007199254740991',
    '--kernel of: is none of on, interpreted, off; did you mean off?',
  ]);
});

test('a size out of bounds is reported with the bounds in the notation of sizes', () => {
  assert.equal(complaintOf('--state-memory', '100g'), '--state-memory 100g: is not between 64m and 8g');
  assert.equal(complaintOf('--body-max', '1000'), '--body-max 1000: is not between 1k and 5m');
});

test('a flag has its value in the next argument or after =, and a switch has none', () => {
  assert.equal(configOf(['--revert-error-code', '3'])['revert-error-code'], 3);
  assert.equal(configOf(['--revert-error-code', '-32000'])['revert-error-code'], -32_000);
  assert.equal(complaintOf('--port', '1', '--port=2'), '--port is given twice');
  assert.equal(configOf(['--passthrough=false']).passthrough, false);
  assert.equal(complaintOf('--port', '--kernel', 'on'), '--port needs a value');
  assert.equal(complaintOf('--passthrough', 'true'), 'unexpected argument true\n--passthrough needs --upstream');
});

test('a list flag may be repeated, or used once with commas', () => {
  const [one, other] = ['wss://one/ws?a=1,2', 'ws://other'];
  const upstream = ['--upstream', 'http://node'];
  assert.deepEqual(configOf(upstream).feed, []);
  assert.deepEqual(configOf([...upstream, '--feed', one, '--feed', other]).feed, [one, other]);
  assert.deepEqual(configOf([...upstream, '--feed', `${one},${other}`]).feed, [one, other]);
  assert.deepEqual(configOf(['--cors', 'http://a', '--cors=http://b']).cors, ['http://a', 'http://b']);
  const complaint = complaintOf(...upstream, '--feed', one, '--feed', 'http://other');
  assert.equal(complaint, '--feed: is not a ws:// or wss:// URL');
  assert.equal(complaintOf(...upstream, '--feed', one, '--feed', one), '--feed: has one of them twice');
});

test('the value of an unknown flag may be a key and is not shown', () => {
  assert.equal(complaintOf('--upstrem=https://node/key'), 'unknown flag --upstrem; did you mean --upstream?');
  assert.equal(complaintOf('--upstrem', 'https://node/key'), 'unknown flag --upstrem; did you mean --upstream?');
});

function faultsOf(environment: Readonly<Record<string, string>>): readonly string[] {
  const command = readCommandAndConfig([], environment);
  return command.kind === 'invalid' ? command.faults : [];
}

test('an unknown PRESTATE_ variable is a fault, unless Kubernetes sets it for a service', () => {
  const typo = 'unknown variable PRESTATE_UPSTERAM; did you mean PRESTATE_UPSTREAM?';
  assert.deepEqual(faultsOf({ PRESTATE_UPSTERAM: 'https://node/key' }), [typo]);
  assert.deepEqual(faultsOf({ PRESTATE_SERVICE_HOST: '10.0.0.1', PRESTATE_PORT_8545_TCP_PORT: '8545' }), []);
});

test('--check-config checks the configuration without serving, and ready probes a running program', () => {
  assert.equal(readCommandAndConfig(['--check-config', '--port', '1'], {}).kind, 'checked');
  assert.equal(readCommandAndConfig(['--check-config', '--port', 'x'], {}).kind, 'invalid');
  assert.equal(readCommandAndConfig(['ready', '--port', '1'], {}).kind, 'ready');
  assert.equal(readCommandAndConfig(['--port', '1', 'ready'], {}).kind, 'invalid');
});

test('--count-own-sends accepts any list of methods that includes submissions of transactions', () => {
  for (const list of ['standard', '*', 'eth_*', 'trace_*,eth_sendRawTransactionConditional']) {
    const flags = ['--upstream', 'http://127.0.0.1:1', '--passthrough', '--passthrough-methods', list];
    assert.equal(configOf([...flags, '--count-own-sends'])['count-own-sends'], true, list);
  }
});

test('a setting that would have no effect is a fault', () => {
  const upstream = ['--upstream', 'http://127.0.0.1:1'];
  for (const [flags, fault] of [
    [['--passthrough-methods', 'standard'], '--passthrough-methods needs --passthrough'],
    [[...upstream, '--passthrough=false', '--passthrough-methods', '*'], '--passthrough-methods needs --passthrough'],
    [[...upstream, '--count-own-sends'], '--count-own-sends needs --passthrough'],
    [
      [...upstream, '--passthrough', '--passthrough-methods', 'trace_*', '--count-own-sends'],
      '--count-own-sends needs eth_sendRawTransaction among --passthrough-methods',
    ],
    [['--speed', '2'], '--speed needs --replay'],
    [['--rules', 'ethereum'], '--rules needs --upstream'],
    [['--chain', 'x'], '--chain needs --genesis'],
    [['--kernel', 'off', '--kernel-check', '1'], '--kernel-check needs --kernel on or --kernel interpreted'],
    [[...upstream, '--dev-traffic', '1'], '--dev-traffic does not go with --upstream'],
    [['--genesis', 'x', '--dev-feed-port', '0'], '--dev-feed-port does not go with --genesis'],
    [[...upstream, '--dev-fork', 'amsterdam'], '--dev-fork does not go with --upstream'],
    [['--upstream', 'http://a', '--feed-format', 'shreds'], '--feed-format needs --feed or --replay'],
    [[...upstream, '--replay', 'x', '--record', 'y'], '--replay does not go with --record'],
    [['--follow', 'nats://h', '--publish', 'nats://h'], '--follow does not go with --publish'],
    [['--follow', 'nats://h', '--dev-traffic', '1'], '--follow does not go with --dev-traffic'],
    [['--nats-ca', 'x'], '--nats-ca needs --publish or --follow'],
    [['--publish', 'http://user:secret@h'], '--publish: is not a nats:// or tls:// URL'],
  ] as const) {
    assert.equal(complaintOf(...flags), fault);
  }
  const fromEnvironment = readCommandAndConfig(['--upstream', 'http://127.0.0.1:1'], { PRESTATE_DEV_TRAFFIC: '0' });
  assert.deepEqual(fromEnvironment, {
    kind: 'invalid',
    faults: ['PRESTATE_DEV_TRAFFIC does not go with --upstream'],
  });
});

describe('a configuration file', () => {
  test('the environment wins over it, a flag over both', () => {
    const file = temporaryFile('prestate.conf', '# a sample\nport = 1\n\nworkers=2 # of four\r\nlog-level = warn\n');
    const config = configOf(['--config', file, '--port', '3'], { PRESTATE_PORT: '2', PRESTATE_WORKERS: '4' });
    assert.equal(config.port, 3);
    assert.equal(config.workers, 4);
    assert.equal(config['log-level'], 'warn');
    assert.equal(configOf([], { PRESTATE_CONFIG: file }).port, 1);
  });

  test('faults in it are reported with their line', () => {
    const text = 'prot = 1\nport = 1\nport = 2\nkernel = "on"\nhost\nworkers = 0\nconfig = x\n';
    const file = temporaryFile('prestate.conf', text);
    assert.deepEqual(complaintOf('--config', file).split('\n'), [
      `${file} line 1: unknown name prot; did you mean port?`,
      `${file} line 3: port stands in line 2, too`,
      `${file} line 4: the value of kernel is written without quotes`,
      `${file} line 5: is not name = value`,
      `${file} line 7: unknown name config`,
      `${file} line 6: workers 0: is not between 1 and 48`,
    ]);
  });

  test('one that cannot be read is a fault', () => {
    assert.match(complaintOf('--config', temporaryFolder()), /^the configuration file .* cannot be read: EISDIR/);
  });
});

test('--dev-tools of the dev chain equals three flags that any chain has', () => {
  const contract = { revertErrorCode: -32_000, defaultBlock: { kind: 'latest' }, receipts: 'preconfirmed' };
  const tools = { revertErrorCode: 3, defaultBlock: { kind: 'pending' }, receipts: 'confirmed' };
  const three = ['--revert-error-code', '3', '--default-block', 'pending', '--receipts', 'confirmed'];
  assert.deepEqual(responseConventions(configOf([])), contract);
  assert.deepEqual(responseConventions(configOf(['--dev-tools'])), tools);
  assert.deepEqual(responseConventions(configOf(['--upstream', 'http://127.0.0.1:1', ...three])), tools);
  assert.equal(complaintOf('--default-block', 'safe'), '--default-block safe: is none of latest, pending');
  for (const other of [
    ['--upstream', 'http://127.0.0.1:1'],
    ['--receipts', 'confirmed'],
    ['--default-block', 'latest'],
  ])
    assert.equal(complaintOf('--dev-tools', ...other), `--dev-tools does not go with ${other[0]}`);
});
