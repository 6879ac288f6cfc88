// Recent keys and their file: the most recent ones are kept, damage is detected, and a save is complete or absent.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { RecentKeyFile } from '../../../../src/feed/live/warm/recent-key-file.js';
import { RecentKeySaver } from '../../../../src/feed/live/warm/recent-key-saver.js';
import { RecentKeys, unpackKeys } from '../../../../src/feed/live/warm/recent-keys.js';
import { toBytes } from '../../../../src/lib/bytes/big-endian.js';
import { LIMITS } from '../../../../src/limits/index.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const address = (n: number): Uint8Array => toBytes(BigInt(n), 20);
const slot = (n: number): Uint8Array => toBytes(BigInt(n), 32);
const accounts = (...numbers: readonly number[]): Parameters<RecentKeys['touch']>[0] => ({
  accounts: numbers.map((n) => ({ address: address(n) })),
  slots: [],
});
/** The account numbers, oldest first. */
const numbersOf = (recent: RecentKeys): number[] =>
  unpackKeys(recent.all()).accounts.map((bytes) => Number(`0x${Buffer.from(bytes).toString('hex')}`));

let folder: string;
let file: RecentKeyFile;
const path = (): string => join(folder, readdirSync(folder)[0]!);
beforeEach(() => {
  folder = temporaryFolder();
  file = new RecentKeyFile(folder, 10n);
});

test('changed keys become the newest; keys that are read again keep their position', () => {
  const recent = new RecentKeys();
  recent.note(accounts(1, 2, 3));
  recent.note(accounts(1));
  assert.deepEqual(numbersOf(recent), [1, 2, 3]);
  recent.touch(accounts(1));
  assert.deepEqual(numbersOf(recent), [2, 3, 1]);
});

test('the keys that were touched longest ago are dropped', () => {
  const recent = new RecentKeys();
  const added = LIMITS.warmKeysMax + 2;
  for (let i = 0; i < added; i++) recent.touch(accounts(i));
  const kept = numbersOf(recent);
  assert.ok(kept.length <= LIMITS.warmKeysMax && kept.length > LIMITS.warmKeysMax / 2, `${kept.length} are kept`);
  assert.deepEqual([kept[0], kept.at(-1)], [added - kept.length, added - 1]);
});

test('keys are restored from the file in their order', async () => {
  const recent = new RecentKeys();
  recent.touch({ accounts: [{ address: address(1) }], slots: [{ address: address(255), slot: slot(3) }] });
  await file.save(recent.all());
  assert.deepEqual(file.load(), recent.all());
  assert.deepEqual(unpackKeys(recent.all()), {
    accounts: [address(1)],
    slots: [{ address: address(255), slot: slot(3) }],
  });
  assert.equal(readdirSync(folder).length, 1, 'nothing is left beside it');
});

test('every altered byte and every truncation of the file is detected', async () => {
  await file.save(wantsOfAll());
  const whole = readFileSync(path());
  for (let at = 0; at < whole.length; at++) {
    const altered = Buffer.from(whole);
    altered[at]! ^= 0x41;
    writeFileSync(path(), altered);
    assert.equal(typeof file.load(), 'string', `byte ${at}`);
    writeFileSync(path(), whole.subarray(0, at));
    assert.equal(typeof file.load(), 'string', `cut at ${at}`);
  }
});

test('a file of another chain is not used', async () => {
  await file.save(wantsOfAll());
  assert.equal(new RecentKeyFile(folder, 11n).load(), 'it is of another chain or format');
});

test('the keys of the last run are loaded at the start', async () => {
  const reported: string[] = [];
  const first = new RecentKeySaver(file, (text) => reported.push(text));
  first.recent.touch(accounts(1, 2));
  await first.close();
  const second = new RecentKeySaver(file, (text) => reported.push(text));
  assert.deepEqual(numbersOf(second.recent), [1, 2]);
  await second.close();
  assert.deepEqual(reported, []);
});

test('a damaged key file means a cold start with one log line, and a failed save is logged once', async () => {
  const reported: string[] = [];
  await file.save(wantsOfAll());
  writeFileSync(path(), 'prestate keys 1 chain 10\nnonsense');
  const damaged = new RecentKeySaver(file, (text) => reported.push(text));
  assert.deepEqual(damaged.recent.all(), []);
  assert.deepEqual(reported, ['the recent keys cannot be loaded, so state is fetched on demand: it is damaged']);
  await damaged.close();
  assert.deepEqual(file.load(), []);
  const nowhere = new RecentKeySaver(new RecentKeyFile(join(folder, 'missing'), 10n), (text) => reported.push(text));
  await nowhere.close();
  await nowhere.close();
  assert.equal(reported.filter((text) => text.startsWith('recent keys cannot be kept: ENOENT')).length, 1);
});

function wantsOfAll(): string[] {
  const recent = new RecentKeys();
  recent.touch({ accounts: [{ address: address(1) }], slots: [{ address: address(2), slot: slot(3) }] });
  return recent.all();
}
