// Endpoints that somebody else runs: on the suite's own genesis, or on a chain of theirs, whose head is followed and
// whose newest blocks tell what can be asked about. Runs in the bench.
import { type Endpoint, headOf, reasonOf, resultOf } from '../load/ask.js';
import type { Headers } from '../load/connection.js';
import { requireOneChain } from './chain-identity.js';
import { deployedCalls } from './deployment.js';
import { callsOf, slotsOf, transactionsBefore, who } from './found-calls.js';
import { type Stage, standing } from './stage.js';
import { type NamedUrl, type Target, targetAt } from './target.js';
import { accountAt, accountNonce, type CallTemplate, newestNumbers, TAGS, type World } from './world.js';

const ADDRESSES_MAX = 200;
/** Beyond it a target is told to be behind. */
const BEHIND_MAX = 3;

/** `accounts`: those of the suite's own genesis, if it is served. Throws if targets have different chains. */
export async function openGivenStage(
  endpoints: readonly NamedUrl[],
  headers: Headers,
  accounts: number,
): Promise<Stage> {
  const targets: Target[] = [];
  for (const { name, url } of endpoints) targets.push(await targetAt(name, url, headers));
  const isOwn = await isOwnState(targets[0]!);
  await requireOneChain(targets, isOwn);
  const base = { targets, feed: null, stop: () => Promise.resolve() };
  if (isOwn) return standing({ ...base, world: await ownWorldOf(accounts) });
  // A chain that does not take the contracts is measured without them.
  const deployed = await deployedCalls(targets).then(
    (calls) => ({ calls, note: '' }),
    (error: unknown) => ({ calls: [], note: `, without contracts of the bench: ${reasonOf(error)}` }),
  );
  const stageNow = async (): Promise<Stage> => {
    return { ...base, world: await worldOfTargets(targets, deployed.calls, deployed.note), now: stageNow };
  };
  return stageNow();
}

/** Known by an account that nobody else has. */
async function isOwnState(target: Endpoint): Promise<boolean> {
  const address = accountAt(0);
  return Number(await resultOf(target, 'eth_getTransactionCount', address, 'latest')) === accountNonce(address);
}

/** Its contracts are compiled, which takes the project's own folder. */
async function ownWorldOf(accounts: number): Promise<World> {
  try {
    const { compiledWorld } = await import('../own/own-state.js');
    return await compiledWorld(accounts);
  } catch (error) {
    throw new Error(`the suite's own genesis is measured by the project's clone: ${reasonOf(error)}`, { cause: error });
  }
}

/** Questions that there are at the head as it is now. */
async function worldOfTargets(
  targets: readonly Target[],
  deployed: readonly CallTemplate[],
  note: string,
): Promise<World> {
  const target = await firstThatAnswers(targets);
  const head = await headOf(target);
  const transactions = await transactionsBefore(target, head);
  const { people, contracts } = await who(target, transactions);
  const known = [...new Set([...deployed.map(({ from }) => from), ...people])];
  const hot = known.length === 0 ? [accountAt(0)] : known.slice(0, ADDRESSES_MAX);
  const { calls, senders, dear } = await callsOf(target, transactions, hot, deployed);
  const tags = (await knowPending(targets, hot[0]!)) ? TAGS : TAGS.filter((tag) => tag !== 'pending');
  return {
    name: `the chain of the targets, whose head is followed, from block ${head} on${await behind(targets, head)}${note}`,
    blocks: [...tags, ...newestNumbers(head)],
    follows: true,
    isStill: false,
    hot,
    slots: slotsOf([...contracts, ...new Set(deployed.map(({ to }) => to))]),
    accounts: 0,
    senders,
    calls,
    dear,
  };
}

/** True if all targets that answer know the pending state. */
async function knowPending(targets: readonly Target[], address: string): Promise<boolean> {
  const hasTag = (target: Target, tag: string): Promise<boolean> =>
    resultOf(target, 'eth_getTransactionCount', address, tag).then(
      () => true,
      () => false,
    );
  const known = await Promise.all(
    targets.map(async (target) => (await hasTag(target, 'pending')) || !(await hasTag(target, 'latest'))),
  );
  return known.every(Boolean);
}

/** A target that has died leaves the others to be measured. */
async function firstThatAnswers(targets: readonly Target[]): Promise<Target> {
  const heads = await Promise.all(targets.map((target) => headOf(target).catch(() => null)));
  return targets.find((_, i) => heads[i] !== null) ?? targets[0]!;
}

async function behind(targets: readonly Target[], head: number): Promise<string> {
  const heads = await Promise.all(targets.map((target) => headOf(target).catch(() => head)));
  const least = Math.min(...heads);
  if (Math.max(...heads) - least <= BEHIND_MAX) return '';
  return ` (${targets.map(({ name }, i) => `${name} is at ${heads[i]}`).join(', ')})`;
}
