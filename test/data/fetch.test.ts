// What `npm run data` fetches, from a repository and a server on this machine.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/temporary-folder.js';
import { fetchConversations, fetchFixtures } from './fetch.js';

test('conversations and chain of a commit are unpacked into the test data folder', () => {
  const folder = temporaryFolder();
  const [repository, data] = [join(folder, 'repository'), join(folder, 'data')];
  mkdirSync(join(repository, 'tests', 'eth_chainId'), { recursive: true });
  writeFileSync(join(repository, 'tests', 'chain.rlp'), 'chain');
  writeFileSync(join(repository, 'tests', 'eth_chainId', 'get.io'), '>> {}\n');
  const git = (...args: readonly string[]): string => {
    const options = { cwd: repository, encoding: 'utf8' } as const;
    return execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], options).trim();
  };
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'tests');
  fetchConversations({ repository, commit: git('rev-parse', 'HEAD') }, data);
  assert.equal(readFileSync(join(data, 'chain.rlp'), 'utf8'), 'chain');
  assert.equal(readFileSync(join(data, 'tests', 'eth_chainId', 'get.io'), 'utf8'), '>> {}\n');
});

test('fixtures are unpacked; a missing file or one that is no archive is an error', async (t) => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'fixtures'));
  writeFileSync(join(folder, 'fixtures', 'a.json'), '{}');
  const archive = execFileSync('tar', ['cz', '-C', folder, 'fixtures']);
  const server = createServer(({ url }, response) => {
    if (url === '/a.tar.gz') response.end(archive);
    else response.writeHead(url === '/text' ? 200 : 404).end('text');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await fetchFixtures(`${url}/a.tar.gz`, join(folder, 'data'));
  assert.equal(readFileSync(join(folder, 'data', 'fixtures', 'a.json'), 'utf8'), '{}');
  await assert.rejects(fetchFixtures(`${url}/gone`, folder), /HTTP 404/);
  await assert.rejects(fetchFixtures(`${url}/text`, folder));
});
