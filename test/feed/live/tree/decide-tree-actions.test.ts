// The block tree in short scenarios: what arrives, and what readers get to see.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { PayloadLimits } from '../../../../src/feed/live/tree/block-tree.js';
import type { StreamEvent, ReportedIncrement } from '../../../../src/feed/pre-confirmation-stream-events.js';
import { decodeFlashblock } from '../../../../src/feed/streams/flashblocks-decoder.js';
import { sharedData, withoutData } from '../../../support/shared-data.js';
import { attempt, canonical, frame } from '../../streams/flashblocks/frames.js';
import { rigAt, TreeRig } from './tree-rig.js';

/** Lines about detected gaps come before those about what is served. */
function reported(rig: TreeRig, frames: readonly StreamEvent[]): string[] {
  return frames.flatMap((each) => rig.take(each));
}

const atNine = (bounds: Partial<PayloadLimits> = {}): TreeRig => rigAt(canonical(9, []), bounds);

void describe('the ordinary course', () => {
  void it('blocks open on pending, and are promoted when canonical', () => {
    const rig = atNine();
    const [ten, eleven] = [attempt(10, 3, 1), attempt(11, 2, 2)];
    assert.deepEqual(reported(rig, ten), ['open 10', 'append 10/1', 'append 10/2']);
    assert.deepEqual(reported(rig, eleven.slice(0, 1)), ['open 11']);
    assert.deepEqual(rig.canonical(canonical(10, ten)), ['promote 10']);
    assert.deepEqual(reported(rig, eleven.slice(1)), ['append 11/1']);
    assert.deepEqual(rig.canonical(canonical(11, eleven)), ['promote 11']);
    assert.equal(rig.tip, null);
    assert.deepEqual(reported(rig, attempt(12, 1, 3)), ['open 12']);
    assert.deepEqual(rig.tip, { block: 12, index: 0 });
  });

  void it('the same head announced twice changes nothing', () => {
    const rig = atNine();
    reported(rig, attempt(10, 2, 1));
    assert.deepEqual(rig.canonical(canonical(9, [])), []);
    assert.deepEqual(rig.tip, { block: 10, index: 1 });
  });

  void it('duplicates and increments without an opening are ignored', () => {
    const rig = atNine();
    const ten = attempt(10, 3, 1);
    assert.deepEqual(reported(rig, [...ten, ...ten]), ['open 10', 'append 10/1', 'append 10/2']);
    assert.deepEqual(reported(rig, [frame({ block: 10, index: 3, payload: 7 }), ...attempt(9, 2, 1)]), []);
  });
});

void describe('a real block', () => {
  const file = 'flashblocks/unichain-sepolia-35535698/flashblocks.ndjson';

  void it(
    'a real block of Unichain Sepolia is put together from its five messages',
    { skip: withoutData(file) },
    () => {
      const messages = readFileSync(sharedData(file), 'utf8').trim().split('\n');
      const frames = messages.map((message) => decodeFlashblock(Buffer.from(message))) as ReportedIncrement[];
      const rig = new TreeRig();
      const [first] = frames;
      assert.ok(first?.kind === 'open');
      const parentHash = first.base.parentHash!;
      const number = 35_535_697;
      rig.begin({ number, hash: parentHash, parentHash: new Uint8Array(32), transactionHashes: [] });
      assert.deepEqual(reported(rig, frames), [
        'open 35535698',
        ...[1, 2, 3, 4].map((index) => `append 35535698/${index}`),
      ]);
      const block = { ...canonical(number + 1, frames), parentHash };
      assert.deepEqual(rig.canonical(block), ['promote 35535698']);
    },
  );
});

void describe('replacement', () => {
  void it('another payload id replaces a block, and only its increments are accepted from then on', () => {
    const rig = atNine();
    reported(rig, attempt(10, 3, 1));
    assert.deepEqual(reported(rig, attempt(10, 2, 2)), ['replace 10', 'append 10/1']);
    assert.deepEqual(reported(rig, [frame({ block: 10, index: 3, payload: 1 })]), []);
    assert.deepEqual(reported(rig, [frame({ block: 10, index: 2, payload: 2 })]), ['append 10/2']);
  });

  void it('replacing the block below the newest drops the newest, too', () => {
    const rig = atNine();
    reported(rig, [...attempt(10, 3, 1), ...attempt(11, 2, 2)]);
    assert.deepEqual(reported(rig, attempt(10, 1, 3)), ['replace 10']);
    assert.deepEqual(reported(rig, attempt(11, 2, 4)), ['open 11', 'append 11/1']);
  });

  void it('an attempt on another parent drops what was published, and waits', () => {
    const rig = atNine();
    reported(rig, attempt(10, 3, 1));
    const other = frame({ block: 10, index: 0, payload: 2, branch: 1 });
    assert.deepEqual(reported(rig, [other]), ['abandon 10']);
    assert.deepEqual(rig.canonical(canonical(9, [], 1)), ['execute 9', 'open 10']);
  });
});

void describe('gaps', () => {
  void it('a gap ends a block, and the next one waits for its parent', () => {
    const rig = atNine();
    const [ten, eleven] = [attempt(10, 5, 1), attempt(11, 2, 2)];
    assert.deepEqual(reported(rig, [ten[0]!, ten[1]!, ten[3]!, ten[4]!]), ['open 10', 'append 10/1', 'gap']);
    assert.deepEqual(reported(rig, eleven), []);
    assert.deepEqual(rig.tip, { block: 10, index: 1 });
    assert.deepEqual(rig.canonical(canonical(10, ten)), ['abandon 10', 'execute 10', 'open 11', 'append 11/1']);
  });

  void it('the missing increment closes the gap, and increments waiting for it are published', () => {
    const rig = atNine();
    const ten = attempt(10, 5, 1);
    reported(rig, [ten[0]!, ten[1]!, ten[3]!, ten[4]!, ...attempt(11, 2, 2)]);
    const closed = ['filled', 'append 10/2', 'append 10/3', 'append 10/4', 'open 11', 'append 11/1'];
    assert.deepEqual(reported(rig, [ten[2]!]), closed);
    assert.deepEqual(rig.canonical(canonical(10, ten)), ['promote 10']);
  });

  void it('increments wait for a late opening of their attempt', () => {
    const rig = atNine();
    const [old, ten] = [attempt(10, 2, 1), attempt(10, 4, 2)];
    reported(rig, [...old, ten[1]!, ten[3]!]);
    const gap = 'gap';
    assert.deepEqual(reported(rig, [ten[0]!]), [gap, 'replace 10', 'append 10/1']);
    assert.deepEqual(reported(rig, [ten[2]!]), ['filled', 'append 10/2', 'append 10/3']);
  });

  void it('an end that arrives after the next block was opened restarts both', () => {
    const rig = atNine();
    const ten = attempt(10, 3, 1);
    reported(rig, [ten[0]!, ten[1]!, ...attempt(11, 2, 2)]);
    const anew = ['replace 10', 'append 10/1', 'append 10/2', 'open 11', 'append 11/1'];
    assert.deepEqual(reported(rig, [ten[2]!]), anew);
    assert.deepEqual(rig.canonical(canonical(10, ten)), ['promote 10']);
  });

  void it('increments that wait behind a gap count towards the size of their block', () => {
    const rig = atNine({ bytes: 100 });
    const sizes = [
      [0, 30],
      [2, 60],
      [3, 30],
      [1, 5],
    ] as const;
    const increments = sizes.map(([index, bytes]) =>
      frame({ block: 10, payload: 1, index, transactions: [new Uint8Array(bytes).fill(2)] }),
    );
    assert.deepEqual(reported(rig, increments).slice(0, 2), ['open 10', 'gap']);
    assert.deepEqual(rig.tip, { block: 10, index: 2 });
    assert.deepEqual(reported(rig, [frame({ block: 10, index: 3, payload: 1 })]), ['append 10/3']);
  });

  void it('a gap keeps complete earlier blocks', () => {
    const rig = atNine();
    const ten = attempt(10, 2, 1);
    reported(rig, [...ten, frame({ block: 11, index: 0, payload: 2 })]);
    assert.deepEqual(reported(rig, [frame({ block: 11, index: 4, payload: 2 })]), ['gap']);
    assert.deepEqual(rig.canonical(canonical(10, ten)), ['promote 10']);
    assert.deepEqual(rig.tip, { block: 11, index: 0 });
  });

  void it('a missed opening is reported once', () => {
    const rig = atNine();
    assert.deepEqual(reported(rig, attempt(10, 4, 1).slice(1)), ['gap']);
    assert.deepEqual(reported(rig, attempt(11, 1, 2)), []);
    assert.deepEqual(rig.canonical(canonical(10, [])), ['execute 10', 'open 11']);
  });

  void it('the same increment with other content voids the block', () => {
    const rig = atNine();
    reported(rig, attempt(10, 3, 1));
    assert.deepEqual(reported(rig, [frame({ block: 10, index: 1, payload: 1, transactions: [] })]), ['abandon 10']);
    assert.deepEqual(reported(rig, [frame({ block: 10, index: 3, payload: 1 })]), []);
  });

  void it('a block of more bytes than allowed ends where it is too large', () => {
    const rig = atNine({ bytes: 100 });
    const large = { block: 10, payload: 1, transactions: [new Uint8Array(60).fill(2)] };
    assert.deepEqual(reported(rig, [frame({ ...large, index: 0 }), frame({ ...large, index: 1 })]), ['open 10', 'gap']);
    assert.deepEqual(reported(rig, [frame({ block: 10, index: 1, payload: 1 })]), []);
  });
});

void describe('a lost connection', () => {
  void it('after a lost connection the next increment proves that none is missing', () => {
    const rig = atNine();
    const ten = attempt(10, 3, 1);
    reported(rig, ten.slice(0, 2));
    assert.deepEqual(rig.take({ kind: 'down', reason: 'closed' }), []);
    assert.deepEqual(reported(rig, [ten[2]!, ...attempt(11, 1, 2)]), ['append 10/2', 'open 11']);
  });

  void it('after a lost connection no block is built on one that may be incomplete', () => {
    const rig = atNine();
    const ten = attempt(10, 3, 1);
    reported(rig, ten);
    assert.deepEqual(rig.take({ kind: 'down', reason: 'closed' }), []);
    assert.deepEqual(reported(rig, attempt(11, 2, 2)), []);
    assert.deepEqual(rig.tip, { block: 10, index: 2 });
    assert.deepEqual(rig.canonical(canonical(10, ten)), ['promote 10', 'open 11', 'append 11/1']);
  });
});

void describe('waiting for a parent', () => {
  void it('increments from before the first block count no more than those on another branch', () => {
    const rig = new TreeRig();
    const ten = attempt(10, 2, 1);
    assert.deepEqual(reported(rig, ten), []);
    rig.begin(canonical(9, []));
    assert.deepEqual(reported(rig, ten.slice(1)), ['gap']);
    assert.deepEqual(reported(rig, ten.slice(0, 1)), ['filled', 'open 10', 'append 10/1']);
  });

  void it('at most five blocks wait for their parent, and the oldest is dropped', () => {
    const rig = rigAt(canonical(8, []), { depth: 10 });
    for (let block = 10; block <= 15; block++) reported(rig, attempt(block, 1, block));
    assert.deepEqual(rig.canonical(canonical(9, [])), ['execute 9']);
    assert.deepEqual(rig.canonical(canonical(10, [])), [
      'execute 10',
      'open 11',
      ...[12, 13, 14, 15].map((block) => `open ${block}`),
    ]);
  });

  void it('blocks beyond the maximum depth are dropped, and return with the next canonical block', () => {
    const rig = atNine();
    const ten = attempt(10, 1, 10);
    reported(rig, [...ten, ...attempt(11, 1, 11), ...attempt(12, 1, 12)]);
    assert.deepEqual(rig.tip, { block: 12, index: 0 });
    assert.deepEqual(reported(rig, attempt(13, 1, 13)), ['abandon 10']);
    assert.equal(rig.tip, null);
    assert.deepEqual(reported(rig, [frame({ block: 13, index: 1, payload: 13 })]), []);
    assert.deepEqual(rig.canonical(canonical(10, ten)), ['execute 10', 'open 11', 'open 12', 'open 13', 'append 13/1']);
  });
});

void describe('reorgs', () => {
  void it('after a canonical block with other transactions the blocks above are executed again', () => {
    const rig = atNine();
    reported(rig, [...attempt(10, 2, 1), ...attempt(11, 2, 2)]);
    assert.deepEqual(rig.canonical(canonical(10, attempt(10, 2, 7))), [
      'abandon 10',
      'execute 10',
      'open 11',
      'append 11/1',
    ]);
  });

  void it('after a canonical block with another hash the blocks above wait for their own parent', () => {
    const rig = atNine();
    const ten = attempt(10, 2, 1);
    reported(rig, [...ten, ...attempt(11, 2, 2)]);
    assert.deepEqual(rig.canonical(canonical(10, ten, 1)), ['promote 10', 'abandon 11']);
    const again = frame({ block: 11, index: 0, payload: 3, branch: 1 });
    assert.deepEqual(reported(rig, [again]), ['open 11']);
  });

  void it('a reorg of two blocks is published one block after the other', () => {
    const rig = atNine();
    const [ten, eleven] = [attempt(10, 1, 1), attempt(11, 1, 2)];
    reported(rig, ten);
    rig.canonical(canonical(10, ten));
    reported(rig, eleven);
    rig.canonical(canonical(11, eleven));
    reported(rig, attempt(12, 1, 3));
    assert.deepEqual(rig.canonical(canonical(10, [], 1)), ['abandon 12', 'execute 10']);
    assert.deepEqual(rig.canonical(canonical(11, [], 1, 1)), ['execute 11']);
    assert.deepEqual(reported(rig, [frame({ block: 12, index: 0, payload: 4, branch: 1 })]), ['open 12']);
  });

  void it('a canonical head above all increments leaves nothing pre-confirmed', () => {
    const rig = atNine();
    reported(rig, attempt(10, 2, 1));
    assert.deepEqual(rig.canonical(canonical(12, [])), ['abandon 10', 'execute 12']);
    assert.deepEqual(reported(rig, [frame({ block: 10, index: 2, payload: 1 })]), []);
  });
});

void describe('a block that our execution disagrees with', () => {
  void it('a block that execution disagrees with is dropped with all above it, until it is canonical', () => {
    const rig = atNine();
    const ten = attempt(10, 2, 1);
    reported(rig, [...ten, ...attempt(11, 1, 2)]);
    assert.deepEqual(rig.reject(10), ['abandon 10']);
    assert.deepEqual(reported(rig, [frame({ block: 11, index: 1, payload: 2 })]), []);
    assert.deepEqual(rig.reject(10), []);
    assert.deepEqual(rig.canonical(canonical(10, ten)), ['execute 10', 'open 11', 'append 11/1']);
  });

  void it('a block below one that execution disagrees with stays', () => {
    const rig = atNine();
    reported(rig, [...attempt(10, 2, 1), ...attempt(11, 1, 2)]);
    assert.deepEqual(rig.reject(11), ['abandon 11']);
    assert.deepEqual(rig.tip, { block: 10, index: 1 });
    assert.deepEqual(reported(rig, attempt(11, 2, 3)), ['open 11', 'append 11/1']);
  });
});
