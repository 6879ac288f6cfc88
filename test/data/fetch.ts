// `npm run data [-- conversations | fixtures]`: downloads the public part of the data that some tests need into the
// folder of `test/support/shared-data.ts`. Needs git, tar and the network, so it is not part of `npm test`.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { sharedData } from '../support/shared-data.js';

/** The execution API's chain and conversations (CC0-1.0), at the commit that `test/io` tests against. */
const CONVERSATIONS = {
  repository: 'https://github.com/ethereum/execution-apis',
  commit: '033ca6e69da000445840d2060ff47e5e56172a86',
};
/** Official state and blockchain tests for `npm run spec`, hundreds of megabytes. */
const FIXTURES = 'https://github.com/ethereum/execution-spec-tests/releases/latest/download/fixtures_stable.tar.gz';
/** Data that cannot be downloaded as they are. Tests that need them are skipped with a reason. */
const RECORDED = ['op-sepolia', 'flashblocks', 'op-stack-genesis', 'op-stack-chains.json', 'geth-amsterdam'];

/** Copies chain and conversations of a commit into `folder`. */
export function fetchConversations({ repository, commit }: typeof CONVERSATIONS, folder: string): void {
  const checkout = mkdtempSync(join(tmpdir(), 'data-'));
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', args, { cwd: checkout, stdio: ['ignore', 'inherit', 'inherit'] });
  try {
    git('init', '--quiet');
    git('fetch', '--quiet', '--depth', '1', repository, commit);
    git('checkout', '--quiet', 'FETCH_HEAD', '--', 'tests');
    for (const entry of readdirSync(join(checkout, 'tests'), { withFileTypes: true })) {
      const target = join(folder, entry.isDirectory() ? 'tests' : '', entry.name);
      cpSync(join(checkout, 'tests', entry.name), target, { recursive: true });
    }
  } finally {
    rmSync(checkout, { recursive: true, force: true });
  }
}

/** Unpacks a compressed archive into `folder` while it is downloaded. */
export async function fetchFixtures(url: string, folder: string): Promise<void> {
  const response = await fetch(url);
  if (!response.ok || response.body === null) throw new Error(`${url}: HTTP ${response.status}`);
  mkdirSync(folder, { recursive: true });
  const tar = spawn('tar', ['xz', '-C', folder], { stdio: ['pipe', 'inherit', 'inherit'] });
  const closed = once(tar, 'close') as Promise<[code: number]>;
  await pipeline(Readable.fromWeb(response.body), tar.stdin);
  const [code] = await closed;
  if (code !== 0) throw new Error(`${url}: tar ended with ${code}`);
}

const KINDS: Readonly<Record<string, () => void | Promise<void>>> = {
  conversations: () => fetchConversations(CONVERSATIONS, sharedData('execution-apis')),
  fixtures: () => fetchFixtures(FIXTURES, sharedData('execution-spec-tests')),
};

async function main(named: readonly string[]): Promise<void> {
  const unknown = named.find((name) => !Object.hasOwn(KINDS, name));
  if (unknown !== undefined) throw new Error(`${unknown} is none of ${Object.keys(KINDS).join(', ')}`);
  for (const [name, run] of Object.entries(KINDS).filter(([kind]) => named.length === 0 || named.includes(kind))) {
    process.stdout.write(`${name} ...\n`);
    await run();
  }
  process.stdout.write(`in ${sharedData('')}; recorded, and not fetched: ${RECORDED.join(', ')}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href) await main(process.argv.slice(2));
