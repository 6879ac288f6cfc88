// The archive case by case: opening it, refusing a folder, reorgs, what a reader sees, and codes.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, readFileSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { open } from 'lmdb';
import { LIMITS } from '../../../src/limits/index.js';
import { ArchiveReader } from '../../../src/state/archive/reader.js';
import { ArchiveError, ArchiveWriter } from '../../../src/state/archive/writer.js';
import { eventually } from '../../support/patience.js';
import { EMPTY_CODE_HASH } from '../../../src/state/views/state-view.js';
import { temporaryFile, temporaryFolder } from '../../support/temporary-folder.js';
import {
  CHAIN,
  type Changes,
  addressOf,
  blockOf,
  chainAccount,
  chainCode,
  chainDiff,
  chainSlots,
  diffOf,
  digest,
  slotOf,
  text,
} from './blocks.js';

const VISITOR = fileURLToPath(new URL('./visitor.js', import.meta.url));
const ADDRESS = addressOf('a');
const SLOT = slotOf('s');
const ONE = Uint8Array.of(...new Uint8Array(31), 1);

const visitors: ChildProcess[] = [];
after(() => {
  for (const visitor of visitors) visitor.kill('SIGKILL');
});

async function write(writer: ArchiveWriter, number: number, changes: Changes = {}, salt = ''): Promise<void> {
  const block = blockOf(number, salt);
  await writer.write(block, diffOf(block, changes, salt));
}

async function fillChain(writer: ArchiveWriter, blocks: number): Promise<void> {
  for (let number = 0; number < blocks; number++) await writer.write(blockOf(number), chainDiff(blockOf(number)));
}

/** A folder with ten blocks of the test chain, closed. */
async function closedArchive(): Promise<string> {
  const dir = temporaryFolder();
  const writer = ArchiveWriter.open(dir, CHAIN);
  await fillChain(writer, 10);
  await writer.close();
  return dir;
}

function refuses(dir: string, pattern: RegExp): void {
  const attempt = (): ArchiveWriter => ArchiveWriter.open(dir, CHAIN);
  assert.throws(attempt, (error) => {
    assert.ok(error instanceof ArchiveError, String(error));
    assert.equal(error.exitCode, 2);
    assert.match(error.message, pattern);
    assert.ok(!error.message.includes('\n'));
    return true;
  });
}

void test('an empty archive answers null everywhere', async () => {
  const writer = ArchiveWriter.open(temporaryFolder(), CHAIN);
  const { reader } = writer;
  const answers = [writer.head(), reader.heads(), reader.head(), reader.record(0), reader.block(0), reader.viewAt(0)];
  assert.deepEqual(
    answers,
    answers.map(() => null),
  );
  assert.equal(reader.numberOfHash(digest('none')), null);
  assert.equal(reader.transaction(digest('none')), null);
  assert.deepEqual([...writer.accounts(), ...writer.slots(), ...writer.codes()], []);
  await writer.close();
});

void test('safe and finalized heads are stored with each block and undone by a reorg', async () => {
  const writer = ArchiveWriter.open(temporaryFolder(), CHAIN);
  await fillChain(writer, 8);
  assert.deepEqual(writer.reader.heads(), { latest: 7, safe: 5, finalized: 3 });
  await writer.replaceFrom(5);
  assert.deepEqual(writer.reader.heads(), { latest: 4, safe: 4, finalized: 3 });
  assert.deepEqual(writer.head()?.hash, blockOf(4).hash);
  await writer.replaceFrom(1);
  assert.deepEqual(writer.reader.heads(), { latest: 0, safe: 0, finalized: 0 });
  await writer.close();
});

void test('small state at a block can be read as a whole, without later changes', async () => {
  const writer = ArchiveWriter.open(temporaryFolder(), CHAIN);
  const account = (balance: bigint): Changes['accounts'] => [
    { address: ADDRESS, account: { nonce: 1n, balance, codeHash: EMPTY_CODE_HASH } },
  ];
  await write(writer, 0, { accounts: account(1n)! });
  await write(writer, 1, { accounts: account(2n)!, slots: [{ address: ADDRESS, slot: SLOT, value: ONE }] });
  const zero = new Uint8Array(32);
  const at = (block: number, keysMax: number): unknown => writer.reader.viewAt(block)!.contents(keysMax);
  assert.deepEqual(at(0, 2), { accounts: account(1n), slots: [{ address: ADDRESS, slot: SLOT, value: zero }] });
  assert.deepEqual(at(1, 2), { accounts: account(2n), slots: [{ address: ADDRESS, slot: SLOT, value: ONE }] });
  assert.equal(at(1, 1), null);
  await writer.close();
});

void test('a block replaced by a reorg is no longer found by number, hash or transaction; its replacement is', async () => {
  const writer = ArchiveWriter.open(temporaryFolder(), CHAIN);
  await write(writer, 0);
  await write(writer, 1, { slots: [{ address: ADDRESS, slot: SLOT, value: ONE }] }, 'former');
  await writer.replaceFrom(1);
  const gone = blockOf(1, 'former');
  assert.ok(gone.transactions.length > 0);
  assert.equal(writer.reader.numberOfHash(gone.hash), null);
  for (const { hash } of gone.transactions) assert.equal(writer.reader.transaction(hash), null);
  await write(writer, 1, {}, 'new');
  assert.equal(text(writer.reader.block(1)), text(blockOf(1, 'new')));
  assert.deepEqual(writer.reader.viewAt(1)?.storage(ADDRESS, SLOT), new Uint8Array(32));
  await writer.close();
});

void test('a block deeper than the reorg limit cannot be replaced', async () => {
  const writer = ArchiveWriter.open(temporaryFolder(), CHAIN);
  const last = LIMITS.archiveReorgBlocksMax + 2;
  for (let number = 0; number <= last; number++) await write(writer, number);
  await assert.rejects(writer.replaceFrom(2), /block 2 lies too deep to be replaced/);
  assert.equal(writer.head()?.number, last);
  await writer.replaceFrom(3);
  assert.equal(writer.head()?.number, 2);
  await writer.close();
});

void test('a block that does not follow the head is refused, and so is a write while another is under way', async () => {
  const writer = ArchiveWriter.open(temporaryFolder(), CHAIN);
  await write(writer, 7);
  await assert.rejects(write(writer, 7), /does not follow/);
  await assert.rejects(write(writer, 9), /does not follow/);
  const first = write(writer, 8);
  await assert.rejects(write(writer, 8), /being written already/);
  await first;
  assert.equal(writer.head()?.number, 8);
  await writer.close();
});

void test('codes can be read: an empty one, an unknown one, and one larger than a page', async () => {
  const writer = ArchiveWriter.open(temporaryFolder(), CHAIN);
  const codes = [{ hash: digest('large'), bytes: new Uint8Array(100_000).map((_, index) => index) }];
  await write(writer, 0, { codes });
  const view = writer.reader.viewAt(0);
  assert.ok(view !== null);
  assert.deepEqual(view.code(digest('large')), codes[0]?.bytes);
  assert.deepEqual(view.code(EMPTY_CODE_HASH), new Uint8Array(0));
  assert.throws(() => view.code(digest('unknown')), /lacks the code/);
  await writer.close();
});

void test('the hashes of a block and of the 256 before it can be read', async () => {
  const writer = ArchiveWriter.open(temporaryFolder(), CHAIN);
  for (let number = 0; number <= 300; number++) await write(writer, number);
  const view = writer.reader.viewAt(290);
  const known = Array.from({ length: 301 }, (_, number) => number).filter((number) => view?.blockHash(number) !== null);
  assert.deepEqual([known[0], known.at(-1), known.length], [290 - 256, 290, 257]);
  assert.deepEqual(view?.blockHash(100), blockOf(100).hash);
  assert.equal(writer.reader.viewAt(3)?.blockHash(-1), null);
  await writer.close();
});

void test('the newest value of every slot is found across a long history of other changes', async () => {
  const writer = ArchiveWriter.open(temporaryFolder(), CHAIN);
  const busy = { address: ADDRESS, slot: SLOT };
  for (let number = 0; number <= 40; number++) {
    const value = Uint8Array.of(...new Uint8Array(31), number + 1);
    const others = [addressOf(number), addressOf(number + 1)].map((address) => ({ address, slot: SLOT, value }));
    await write(writer, number, { slots: [{ ...busy, value }, ...others] });
  }
  const slots = new Map([...writer.slots()].map(({ address, value }) => [text(address), value[31]]));
  assert.equal(slots.get(text(ADDRESS)), 41);
  assert.equal(slots.size, 43);
  for (let name = 1; name <= 40; name++) assert.equal(slots.get(text(addressOf(name))), name + 1);
  await writer.close();
});

void test('a reader sees one commit for a whole tick of the event loop, and the newest one in the next', async () => {
  const dir = temporaryFolder();
  const writer = ArchiveWriter.open(dir, CHAIN);
  await write(writer, 0);
  const worker = new Worker(new URL('./visitor.js', import.meta.url), { argv: ['read', dir] });
  await once(worker, 'message');
  const reader = ArchiveReader.open(dir);
  assert.equal(reader.head()?.number, 0);
  await write(writer, 1);
  reader.refresh();
  assert.equal(reader.head()?.number, 1);
  await turn();
  assert.equal(text(reader.block(1)), text(blockOf(1)));
  await worker.terminate();
  await reader.close();
  await writer.close();
});

void test('the archive stays usable when threads are killed while they read it', async () => {
  const dir = temporaryFolder();
  const writer = ArchiveWriter.open(dir, CHAIN);
  await fillChain(writer, 5);
  for (let number = 5; number < 13; number++) {
    const worker = new Worker(new URL('./visitor.js', import.meta.url), { argv: ['read', dir] });
    await once(worker, 'message');
    await Promise.all([worker.terminate(), writer.write(blockOf(number), chainDiff(blockOf(number)))]);
    assert.equal(writer.reader.head()?.number, number);
  }
  const { address, account } = chainAccount(12);
  assert.deepEqual(writer.reader.viewAt(12)?.account(address), account);
  await writer.close();
});

void test('a second writer gets an error that names the process using the folder; a killed process frees it', async () => {
  const dir = temporaryFolder();
  const holder = visit('hold', dir);
  await once(createInterface({ input: holder.stdout ?? process.stdin }), 'line');
  const refused = new RegExp(`^data folder .*${dir}.* is in use by process ${holder.pid}$`);
  assert.throws(
    () => ArchiveWriter.open(dir, CHAIN),
    (error) => error instanceof ArchiveError && refused.test(error.message),
  );
  const reader = ArchiveReader.open(dir);
  assert.equal(reader.head(), null);
  await reader.close();
  holder.kill('SIGKILL');
  await once(holder, 'close');
  const writer = ArchiveWriter.open(dir, CHAIN);
  await write(writer, 0);
  await writer.close();
  assert.throws(() => statSync(join(dir, 'writer.lock')), /ENOENT/);
});

const UNSHARE = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--mount-proc', process.execPath];
const canUnshare = spawnSync('unshare', [...UNSHARE, '-e', '0'], { stdio: 'ignore' }).status === 0;
const apart = { skip: canUnshare ? false : 'the system gives no namespace of process ids' };

/** Runs the visitor as process 1 of a PID namespace, as in a container. */
function visitApart(task: string, dir: string): ChildProcess {
  const visitor = spawn('unshare', [...UNSHARE, VISITOR, task, dir], { stdio: ['ignore', 'pipe', 'pipe'] });
  visitors.push(visitor);
  return visitor;
}

void test(
  'a second container on one folder is refused, until the process in the first one is dead',
  apart,
  async () => {
    const dir = temporaryFolder();
    const holder = visitApart('hold', dir);
    await once(createInterface({ input: holder.stdout! }), 'line');
    const refused = new RegExp(`data folder .*${dir}.* is in use by a process of another container`);
    assert.throws(() => ArchiveWriter.open(dir, CHAIN), refused);
    // Both are process 1 of their namespace.
    const second = visitApart('hold', dir);
    const complaint: Buffer[] = [];
    second.stderr!.on('data', (chunk: Buffer) => complaint.push(chunk));
    const [code] = (await once(second, 'close')) as [number];
    assert.notEqual(code, 0);
    assert.match(Buffer.concat(complaint).toString(), refused);
    holder.kill('SIGKILL');
    await once(holder, 'close');
    const writer = await eventually(() => tryOpen(dir));
    await write(writer, 0);
    await writer.close();
    assert.deepEqual(
      readdirSync(dir).filter((name) => name.startsWith('writer.lock')),
      [],
    );
  },
);

/** When the first process of a namespace has ended, the kernel kills the others. */
function tryOpen(dir: string): ArchiveWriter | undefined {
  try {
    return ArchiveWriter.open(dir, CHAIN);
  } catch {
    return undefined;
  }
}

void test('a lock that no process holds is stale, whatever the file says', async () => {
  const dir = temporaryFolder();
  for (const left of [`${process.ppid}\n`, 'garbage\nlines', '']) {
    writeFileSync(join(dir, 'writer.lock'), left);
    await ArchiveWriter.open(dir, CHAIN).close();
  }
});

void test('an archive of another chain is refused and left as it was', async () => {
  const dir = await closedArchive();
  assert.throws(() => ArchiveWriter.open(dir, '{"chainId":"2"}'), /belongs to another chain/);
  const writer = ArchiveWriter.open(dir, CHAIN);
  assert.equal(writer.head()?.number, 9);
  await writer.close();
});

void test('a file that is no archive is refused with a one-line error', async () => {
  const garbage = temporaryFolder();
  writeFileSync(join(garbage, 'data.mdb'), Buffer.alloc(100_000, 'garbage'));
  assert.throws(() => ArchiveWriter.open(garbage, CHAIN), /^Error: [^\n]+$/);
  const short = temporaryFolder();
  writeFileSync(join(short, 'data.mdb'), 'hello');
  assert.throws(() => ArchiveWriter.open(short, CHAIN), /^Error: [^\n]+$/);
  refuses(temporaryFile('file', ''), /^cannot .*file.*: ENOTDIR/);
  const otherDatabase = temporaryFolder();
  const database = open({ path: otherDatabase, noSubdir: false });
  await database.openDB('others', {}).put('key', 'value');
  await database.close();
  refuses(otherDatabase, /holds another LMDB database/);
  assert.throws(() => ArchiveReader.open(temporaryFolder()), /No such file/);
});

void test('an archive of another format version is refused with an error that names the version', async () => {
  const dir = await closedArchive();
  const database = open({ path: dir, noSubdir: false });
  await database
    .openDB('meta', { encoding: 'binary', keyEncoding: 'binary' })
    .put(Buffer.from('format'), Buffer.from('prestate archive 0'));
  await database.close();
  assert.throws(() => ArchiveWriter.open(dir, CHAIN), /its format is "prestate archive 0"/);
  assert.throws(() => ArchiveReader.open(dir), /not an archive of this version/);
});

void test('a truncated data file is an error and does not end the process', async () => {
  const dir = await closedArchive();
  const bytes = statSync(join(dir, 'data.mdb')).size;
  for (const kept of [8192, 20_000, Math.floor(bytes / 2)]) {
    const cut = temporaryFolder();
    cpSync(dir, cut, { recursive: true });
    truncateSync(join(cut, 'data.mdb'), kept);
    assert.throws(
      () => ArchiveWriter.open(cut, CHAIN),
      /^Error: the archive in [^\n]* cannot be read: the process that tried it ended by SIGBUS; [^\n]+$/,
    );
  }
});

void test('an empty data file is reported as lost, unless its writer was killed right after creating it', async () => {
  const dir = await closedArchive();
  truncateSync(join(dir, 'data.mdb'), 0);
  refuses(dir, /its data file is empty/);
  writeFileSync(join(dir, 'data.mdb.new'), '');
  const writer = ArchiveWriter.open(dir, CHAIN);
  assert.equal(writer.head(), null);
  await writer.close();
  assert.deepEqual(readdirSync(dir).toSorted(), ['data.mdb', 'lock.mdb']);
});

void test('extra bytes after the end and a broken LMDB lock file do no harm', async () => {
  const dir = await closedArchive();
  appendFileSync(join(dir, 'data.mdb'), Buffer.alloc(5000, 1));
  writeFileSync(join(dir, 'lock.mdb'), 'broken');
  const writer = ArchiveWriter.open(dir, CHAIN);
  assert.ok(readWhole(writer) > 0);
  await writer.close();
});

void test('when the disk refuses a block there is one clear error, and every earlier block is whole', async () => {
  const dir = temporaryFolder();
  const visitor = spawn('sh', ['-c', `ulimit -f 4096; exec "$0" "$@"`, process.execPath, VISITOR, 'fill', dir], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const closed = once(visitor, 'close');
  const lines = await linesOf(visitor);
  await closed;
  assert.equal(visitor.exitCode, 0, 'a rejection that nobody handles ended the process');
  assert.match(
    lines[0] ?? '',
    /^ArchiveError: cannot write block \d+ to the archive in .*: (Input\/output error|File too large)$/,
  );
  assert.equal(lines[2], 'closed');
  const writer = ArchiveWriter.open(dir, CHAIN);
  const head = writer.head()?.number ?? -1;
  assert.equal(lines[1], `head ${head}`);
  assert.ok(head > 5);
  for (const { address, slot, value } of chainSlots(head)) {
    assert.deepEqual(writer.reader.viewAt(head)?.storage(address, slot), value);
  }
  assert.deepEqual(writer.reader.viewAt(head)?.code(chainCode(head).hash), chainCode(head).bytes);
  await writer.write(blockOf(head + 1), chainDiff(blockOf(head + 1)));
  await writer.close();
});

void test('closing releases the lock and keeps all data', async () => {
  const dir = await closedArchive();
  const writer = ArchiveWriter.open(dir, CHAIN);
  assert.equal(readFileSync(join(dir, 'writer.lock'), 'utf8').split('\n')[0], String(process.pid));
  assert.equal(text(writer.reader.block(9)), text(blockOf(9)));
  await writer.close();
});

function visit(task: string, dir: string): ChildProcess {
  const visitor = spawn(process.execPath, [VISITOR, task, dir], { stdio: ['ignore', 'pipe', 'inherit'] });
  visitors.push(visitor);
  return visitor;
}

async function linesOf(visitor: ChildProcess): Promise<string[]> {
  assert.ok(visitor.stdout !== null);
  const lines: string[] = [];
  for await (const line of createInterface({ input: visitor.stdout })) lines.push(line);
  return lines;
}

function readWhole(writer: ArchiveWriter): number {
  const last = writer.head()?.number ?? -1;
  for (let number = 0; number <= last; number++) writer.reader.block(number);
  return [...writer.accounts(), ...writer.slots(), ...writer.codes()].length;
}
