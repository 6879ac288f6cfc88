// What does an estimate or a call cost on warm state, on one thread?
// User CPU time per job, best of several rounds. Run: node dist/bench/estimate.bench.js
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import type { Job } from '../src/transaction/call-request.js';
import { JobRunner } from '../src/execution/call/estimate.js';
import { createRules } from '../src/evm/ethereumjs/fork-rules.js';
import { readArtifacts } from '../src/feed/dev/contracts/artifacts.js';
import { toHex } from '../src/lib/hex.js';
import type { AccountState, StateView } from '../src/state/view.js';
import { blockEnv, chainAt, job } from '../test/support/jobs.js';
import { bytes, MemoryView } from '../test/support/memory-view.js';

const ROUND_MS = 500;
const ROUNDS = 4;
const SENDER = '0x1000000000000000000000000000000000000001';
const OTHER = '0x2000000000000000000000000000000000000002';
const TOKEN = '0xc000000000000000000000000000000000000003';

const { token } = readArtifacts();

/** The test view with its answers remembered, so that hex in the view is not what is measured. */
function remembered(view: StateView): StateView {
  const accounts = new Map<string, AccountState | null>();
  const words = new Map<string, Uint8Array>();
  return {
    account: (address) => remember(accounts, latin1(address), () => view.account(address)),
    storage: (address, slot) => remember(words, latin1(address) + latin1(slot), () => view.storage(address, slot)),
    code: (hash) => view.code(hash),
    blockHash: (number) => view.blockHash(number),
  };
}

function latin1(key: Uint8Array): string {
  return Buffer.from(key).toString('latin1');
}

function remember<V>(map: Map<string, V>, key: string, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

function balanceSlot(owner: string): string {
  const slot = BigInt(token.slots['balanceOf'] ?? 0);
  return toHex(keccak256(Buffer.concat([bytes(owner, 32), bytes(slot.toString(16), 32)])));
}

function transferData(): string {
  const selector = toHex(keccak256(Buffer.from('transfer(address,uint256)'))).slice(0, 10);
  return `${selector}${OTHER.slice(2).padStart(64, '0')}${'5'.padStart(64, '0')}`;
}

const view = remembered(
  new MemoryView().put(SENDER, { balance: 10n ** 20n }).put(TOKEN, {
    code: token.runtimeCode,
    storage: { [balanceSlot(SENDER)]: 10n ** 24n, [balanceSlot(OTHER)]: 1n },
  }),
);
const runner = new JobRunner({ rules: createRules(chainAt('osaka')) });
const env = blockEnv();

async function cost(asked: Job): Promise<number> {
  const start = process.cpuUsage().user;
  const end = performance.now() + ROUND_MS;
  let jobs = 0;
  for (; performance.now() < end; jobs++) {
    await runner.runJob(asked, view, env);
  }
  return (process.cpuUsage().user - start) / jobs;
}

async function best(name: string, asked: Job): Promise<void> {
  const costs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) costs.push(await cost(asked));
  console.log(
    `${name.padEnd(30)} ${Math.min(...costs)
      .toFixed(1)
      .padStart(8)} us`,
  );
}

const transfer = { from: SENDER, to: TOKEN, data: transferData() };
await best('estimate, plain transfer', job({ from: SENDER, to: OTHER, value: 1n }));
await best('call, token transfer (1 run)', job(transfer, { kind: 'call' }));
await best('estimate, token transfer', job(transfer));
