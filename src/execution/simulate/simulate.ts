// eth_simulateV1: runs blocks of calls on top of a block, and computes their headers as go-ethereum does.

// Follows go-ethereum in its quirks, too: a block every 12 s; log indices that count reverted logs; error codes -38010
// to -38026, and -32000 for a block that does not exist (-32001 in other methods). See DECISIONS.md.
import { decodeHeader } from '../../chain/block/header.js';
import { StateTrie } from '../../chain/state-root.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import type { Job, JobOutcome, SimulationParams } from '../../transaction/evm-job.js';
import { ResponseSizeBudget, RESPONSE_TOO_LARGE } from '../call/response-size-budget.js';
import type { CallSequenceBase } from '../call/call-environment.js';
import { planBlocks } from './planned-blocks.js';
import { SimulatedBlock, type SimulationParent } from './simulated-block.js';
import { renderSimulatedBlock } from './render-simulated-block.js';

/** Returns the blocks as JSON, or the reason why the first impossible block is impossible. */
export async function simulateBlocks(job: Job, base: CallSequenceBase): Promise<JobOutcome> {
  const simulation = job.simulation!;
  let parent = parentOf(simulation);
  const plan = planBlocks(job.blocks!, parent.header);
  if ('kind' in plan) return plan;
  const trie = trieOf(parent, base);
  base.state.reset(base.view, trie === null ? {} : { slotsOf: (address) => trie.slotsOf(address) });
  const hashes = new Map<number, Uint8Array>();
  const texts: string[] = [];
  const budget = new ResponseSizeBudget();
  let gasLeft = job.gasCap;
  for (const planned of plan) {
    if (parent.hash !== null) hashes.set(parent.header.number, parent.hash);
    const block = new SimulatedBlock(planned, { parent, base, simulation, trie, hashes, gasLeft, budget });
    const sealed = await block.run();
    if ('kind' in sealed) return sealed;
    const text = renderSimulatedBlock(sealed, simulation.returnFullTransactions);
    if (!budget.take(text.length - block.characters)) return RESPONSE_TOO_LARGE;
    texts.push(text);
    gasLeft -= block.gasPaid;
    parent = sealed;
  }
  return { kind: 'json', text: `[${texts.join(',')}]` };
}

function parentOf({ parentHeader, isPreConfirmed }: SimulationParams): SimulationParent {
  return { header: decodeHeader(parentHeader), hash: isPreConfirmed ? null : keccak256(parentHeader) };
}

/** Builds the tries of the parent's state; `null` if the whole state is not available. */
function trieOf({ header, hash }: SimulationParent, base: CallSequenceBase): StateTrie | null {
  const contents = hash === null ? null : base.contents();
  if (contents === null) return null;
  const trie = new StateTrie();
  trie.apply(contents);
  return sameBytes(trie.root(), header.stateRoot) ? trie : null;
}
