// The compose file: what it publishes, and that everything it names is there.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { type Compose, compose, deployed, root } from './deployed.js';

test('ports are published on this host only, but for peers of the node', () => {
  for (const [name, { ports }] of Object.entries(compose.services)) {
    for (const port of ports) assert.match(port, name === 'node' ? /^30303:/ : /^127\.0\.0\.1:/, name);
  }
});

test('what services of the compose file name is there', () => {
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

test('every placeholder of the compose files stands in .env.example', () => {
  const example = deployed('.env.example');
  for (const [, name] of (deployed('compose.yaml') + deployed('replicas.yaml')).matchAll(/\$\{(\w+)/g))
    assert.match(example, new RegExp(`^#?${name}=`, 'm'));
});

test('replicas stand behind a balancer that is alone published, and knows them all', () => {
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
