// The command line: what the flags of the kernel may be, and what they are when nothing is said.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCommand, type Config } from '../src/config.js';

function configOf(argv: readonly string[], environment: Readonly<Record<string, string>> = {}): Config {
  const command = readCommand(argv, environment);
  assert.ok(command.kind === 'run', JSON.stringify(command));
  return command.config;
}

function complaintOf(...argv: string[]): string {
  const command = readCommand(argv, {});
  assert.ok(command.kind === 'invalid', JSON.stringify(command));
  return command.message;
}

test('the kernel is on, and a small share of its answers is checked', () => {
  const config = configOf([]);
  assert.equal(config.kernel, 'on');
  assert.equal(config['kernel-check'], 0.0005);
});

test('flags and environment switch it', () => {
  for (const mode of ['on', 'off', 'shadow']) assert.equal(configOf(['--kernel', mode]).kernel, mode);
  assert.equal(configOf([], { PRESTATE_KERNEL: 'shadow' }).kernel, 'shadow');
  assert.equal(configOf(['--kernel', 'off'], { PRESTATE_KERNEL: 'shadow' }).kernel, 'off');
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

test('methods that are passed on are listed, and some cannot be', () => {
  const listed = (text: string): readonly string[] => configOf(['--passthrough-methods', text])['passthrough-methods'];
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
      complaintOf('--passthrough-methods', `trace_*,${entry}`),
      `--passthrough-methods trace_*,${entry}: has ${entry}, which is never passed on`,
    );
  for (const entry of ['eth get', 'eth_*Logs', '**', 'eth.call']) {
    assert.match(complaintOf('--passthrough-methods', entry), /has ".*", which is no method$/);
  }
});

test('an address that is wrong is not shown: it may carry a key', () => {
  assert.equal(
    complaintOf('--upstream', 'ftp://me:secret@node.example/v3/0123456789abcdef'),
    '--upstream: is not a http:// or https:// URL',
  );
});

test('the header in which a proxy names clients is the name of a header', () => {
  assert.equal(configOf([])['client-header'], undefined);
  assert.equal(configOf(['--client-header', 'X-Real-IP'])['client-header'], 'X-Real-IP');
  for (const text of ['x real ip', 'x:', '']) assert.match(complaintOf(`--client-header=${text}`), /^--client-header/);
});
