// This build, its peers and the raw handler on the suite's own static state. Runs in the bench.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deployContractSet } from '../../test/support/contract-set.js';
import { writeGethGenesis } from '../geth-genesis.js';
import { type Program, startAnvil, startScript } from '../program.js';
import { ownState, ownWorld } from './own-state.js';
import type { Headers } from '../load/connection.js';
import { type Stage, standing } from '../suite/stage.js';
import { floorAt, type NamedUrl, type Target, targetAt } from '../suite/target.js';
import type { World } from '../suite/world.js';

/** Writes the genesis and returns its world. Takes some seconds, most of them for the compiler. */
export async function writeOwnGenesis(file: string, accounts: number): Promise<World> {
  const set = await deployContractSet();
  writeGethGenesis(file, ownState(set, accounts));
  return ownWorld(set, accounts);
}

/** Without `peers` anvil is the peer. */
export function openStillStage(accounts: number, peers: readonly NamedUrl[], headers: Headers): Promise<Stage> {
  return openOwnStage(accounts, async (genesis, start) => {
    const targets: Target[] = [];
    targets.push(await targetAt('ours', await start(startScript('src/main.js', '--port', '0', '--genesis', genesis))));
    for (const { name, url } of peers) targets.push(await targetAt(name, url, headers));
    const anvil = ['--init', genesis, '--hardfork', 'osaka', '--no-mining'];
    if (peers.length === 0) targets.push(await targetAt('anvil', await start(startAnvil(...anvil))));
    targets.push(floorAt(await start(startScript('bench/raw-handler.js'))));
    return targets;
  });
}

/** `open` returns the targets for a genesis file; programs that it starts with `start` are stopped with the stage. */
export async function openOwnStage(
  accounts: number,
  open: (genesis: string, start: (program: Promise<Program>) => Promise<string>) => Promise<Target[]>,
): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'prestate-bench-'));
  const programs: Program[] = [];
  const stop = async (): Promise<void> => {
    for (const program of programs) await program.stop();
    rmSync(folder, { recursive: true });
  };
  try {
    const genesis = join(folder, 'genesis.json');
    const world = await writeOwnGenesis(genesis, accounts);
    const targets = await open(genesis, async (program) => {
      programs.push(await program);
      return programs.at(-1)!.url;
    });
    return standing({ world, targets, feed: null, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}
