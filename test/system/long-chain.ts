// A data folder with hundreds of dev chain blocks, built in seconds on a clock that runs as fast as needed.
import { getCreateAddress } from 'ethers';
import { createDevChain } from '../../src/feed/dev/dev-chain.js';
import type { FeedSink } from '../../src/feed/feed.js';
import { StateWriter } from '../../src/publisher/state-writer.js';
import { comparableChainDescription } from '../../src/chain/chain-description.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { ArchiveWriter } from '../../src/state/archive/writer.js';
import { devWallet, signed } from '../feed/keys.js';
import { FakeClock, submitAll } from '../feed/recording-sink.js';

const BLOCK_MS = 2000;
const wallet = devWallet(5);

/**
 * Sends one transaction per block: the first creates CONTRACT, and each later one stores its nonce in CONTRACT's slot
 * 0.
 */
export const SENDER = wallet.address;
export const CONTRACT = getCreateAddress({ from: SENDER, nonce: 0 });
/** Returns `PUSH0 CALLDATALOAD PUSH0 SSTORE STOP`. */
const INIT_CODE = '0x645f355f55005f526005601bf3';

/** One block, and the expected state after it. */
export interface PastBlock {
  readonly number: number;
  readonly hash: string;
  /** Nonce of SENDER; slot 0 of CONTRACT is one less. */
  readonly nonce: number;
}

/** Builds at least `blocks` blocks, the last one at about the current time. Returns them from the genesis on. */
export async function makeLongChain(dataDir: string, blocks: number): Promise<PastBlock[]> {
  const startMs = Date.now() - blocks * BLOCK_MS;
  const clock = new FakeClock(startMs);
  const made: PastBlock[] = [];
  const feed = createDevChain({ kind: 'dev', trafficTps: 0 }, { clock, contents: () => archive });
  const archive = ArchiveWriter.open(dataDir, comparableChainDescription(feed.chain));
  const publisher = new StateWriter({ archive, post: () => undefined });
  publisher.restore(archive);
  const sink: FeedSink = {
    publish: (diff, announcement) => publisher.publish(diff, announcement),
    complete: (diff, block) => {
      const nonce = (made.at(-1)?.nonce ?? 0) + block.transactions.length;
      made.push({ number: block.number, hash: toHex(block.hash), nonce });
      return publisher.complete(diff, block);
    },
    goBack: (place) => publisher.goBack(place),
    view: () => publisher.view(),
    progress: () => undefined,
  };
  for (let nonce = 0; nonce < blocks; nonce++) {
    clock.plan(startMs + nonce * BLOCK_MS + 500, async () => void (await submitAll(feed, [transaction(nonce)])));
  }
  let stopped = Promise.resolve();
  clock.plan(startMs + blocks * BLOCK_MS, () => void (stopped = feed.stop()));
  await feed.run(sink, null);
  await stopped;
  await archive.close();
  return made;
}

function transaction(nonce: number): Uint8Array {
  const data = `0x${nonce.toString(16).padStart(64, '0')}`;
  const fields = { nonce, gasLimit: 200_000n };
  return signed(wallet, nonce === 0 ? { ...fields, to: null, data: INIT_CODE } : { ...fields, to: CONTRACT, data });
}
