// The compose file: what it publishes, and that everything it refers to exists.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { readCommandAndConfig } from '../../src/config/read-settings.js';
import { type Compose, compose, deployed, root } from './deployed.js';

test('ports are published on this host only, but for peers of the node', () => {
  for (const [name, { ports }] of Object.entries(compose.services)) {
    for (const port of ports) assert.match(port, name === 'node' ? /^30303:/ : /^127\.0\.0\.1:/, name);
  }
});

test('files and services that the compose file names exist', () => {
  const files = readdirSync(new URL('deploy/', root), { recursive: true, encoding: 'utf8' });
  const known = new Set([...Object.keys(compose.volumes), ...files.map((file) => `./${file}`)]);
  for (const [name, { networks, volumes, secrets = [] }] of Object.entries(compose.services)) {
    for (const network of networks) assert.ok(network in compose.networks, `${name}: ${network}`);
    for (const secret of secrets) assert.ok(secret in compose.secrets, `${name}: ${secret}`);
    for (const volume of volumes) {
      const [source] = volume.split(':');
      assert.ok(known.has(source!), `${name}: ${volume}`);
    }
  }
});

test('every placeholder of the compose files is in .env.example', () => {
  const example = deployed('.env.example');
  for (const [, name] of (deployed('compose.yaml') + deployed('replicas.yaml')).matchAll(/\$\{(\w+)/g))
    assert.match(example, new RegExp(`^#?${name}=`, 'm'));
});

test('replicas are behind a load balancer, which alone publishes a port and knows all of them', () => {
  const { services } = parse(deployed('replicas.yaml'), { merge: true }) as Compose;
  const names = Object.keys(services);
  assert.deepEqual(
    names.filter((name) => services[name]!.ports !== undefined),
    ['balancer'],
  );
  const known = [...deployed('haproxy.cfg').matchAll(/^ {2}server (\S+) /gm)].map(([, name]) => name);
  assert.deepEqual(
    known,
    names.filter((name) => name.startsWith('replica-')),
  );
  for (const name of names) assert.ok(deployed('replicas.yaml').includes(`${name}:`), name);
});

test('executors and replicas start with the flags of their services, and replicas accept transactions', () => {
  const { services } = parse(deployed('replicas.yaml'), { merge: true }) as Compose;
  const programs = Object.entries(services).filter(([name]) => /^(executor|replica)-/.test(name));
  assert.equal(programs.length, 5);
  for (const [name, { environment }] of programs) {
    const command = readCommandAndConfig([], given(environment!));
    assert.ok(command.kind === 'run', `${name}: ${JSON.stringify(command)}`);
    const { follow, publish, passthrough } = command.config;
    assert.equal(follow !== undefined, name.startsWith('replica'), name);
    assert.equal(publish !== undefined, name.startsWith('executor'), name);
    assert.equal(passthrough, name.startsWith('replica'), name);
  }
});

/** Environment of a container if `.env` only contains the password. */
function given(environment: Readonly<Record<string, string | null>>): Record<string, string> {
  const set = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== null);
  return Object.fromEntries(set.map(([name, value]) => [name, filled(value)]));
}

function filled(value: string): string {
  return value.replaceAll(/\$\{\w+:([-?])(.*?)\}/g, (_, kind: string, text: string) =>
    kind === '-' ? text : 'secret',
  );
}
