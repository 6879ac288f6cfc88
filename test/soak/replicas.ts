// A fleet on one chain with traffic, whose programs and NATS server are killed, frozen and restarted one after the
// other: all reports of one position must be equal.
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/patience.js';
import { Comparison, Fleet } from '../system/fleet.js';

/** Positions at which every program is compared after each fault. */
const LEAST = { latest: 1, pending: 5 };
/** Longer than a lease, and than the silence that a replica tolerates. */
const FROZEN_MS = 7000;

type Fault = readonly [name: string, make: (fleet: Fleet) => Promise<void>];

const FAULTS: readonly Fault[] = [
  ['a replica is killed', (fleet) => restart(fleet, 'replica 1')],
  ['the leader is killed', async (fleet) => restart(fleet, await leaderOf(fleet))],
  ['the server is killed', (fleet) => losing(fleet, 500)],
  ['the executor that follows is killed', async (fleet) => restart(fleet, await followerOf(fleet))],
  ['a replica is frozen', (fleet) => freeze(fleet, 'replica 2')],
  ['the server is away for longer than a lease', (fleet) => losing(fleet, FROZEN_MS)],
  [
    'leader and replica are killed',
    async (fleet) => {
      const leader = await leaderOf(fleet);
      await Promise.all([restart(fleet, 'replica 3'), restart(fleet, leader)]);
    },
  ],
];

/** Injects one fault after the other for so many seconds; throws if responses differ. Returns the counts. */
export async function soakReplicas(seconds: number, report: (line: string) => void): Promise<string> {
  const comparison = new Comparison();
  const fleet = await Fleet.start();
  const endMs = performance.now() + seconds * 1000;
  let faults = 0;
  try {
    for (; performance.now() < endMs; faults++) {
      const [name, make] = FAULTS[faults % FAULTS.length]!;
      await fleet.ready();
      await comparison.until(fleet, LEAST);
      report(`${faults}: ${name}; ${comparison.positions} positions compared, ${comparison.refused} looks refused`);
      await make(fleet);
    }
    await fleet.ready();
    await comparison.until(fleet, LEAST);
  } finally {
    await fleet.stop();
  }
  return `${faults} faults, ${comparison.positions} positions said the same by all, ${comparison.refused} looks refused`;
}

async function restart(fleet: Fleet, name: string): Promise<void> {
  await fleet.kill(name);
  await fleet.startProgram(name);
}

async function losing(fleet: Fleet, ms: number): Promise<void> {
  await fleet.nats.kill();
  await sleep(ms);
  await fleet.nats.start();
}

async function freeze(fleet: Fleet, name: string): Promise<void> {
  const { process: frozen } = fleet.programs.get(name)!;
  frozen.kill('SIGSTOP');
  await sleep(FROZEN_MS);
  frozen.kill('SIGCONT');
}

async function leaderOf(fleet: Fleet): Promise<string> {
  await until(async () => (await fleet.leader()) !== undefined, 'somebody leads');
  return (await fleet.leader())!;
}

async function followerOf(fleet: Fleet): Promise<string> {
  return (await leaderOf(fleet)) === 'executor 1' ? 'executor 2' : 'executor 1';
}
