// Measures what a hostile client costs the others: a row per attack, compared with the same clients in quiet, and with
// an attacker that only uses up a processor, as any program on the machine could. Usage: node dist/test/attack/run.js
// [seconds per attack] [part of a name ...]
import { Server } from '../support/server.js';
import { KINDS, quantile } from './honest-client.js';
import { BASELINES, ATTACKS } from './attacks.js';
import { runAttack, type Trial } from './trial.js';

const REST_MS = 2000;
const FAILURES_SHOWN = 3;
/** Gives the chain time for blocks and fees that can be requested. */
const HISTORY_MS = 6000;

const [seconds = '8', ...wanted] = process.argv.slice(2);
const attacks = ATTACKS.filter(
  ({ name }) => BASELINES.includes(name) || wanted.length === 0 || wanted.some((part) => name.includes(part)),
);

const HEADINGS = [
  ...KINDS.flatMap((kind) => [`${kind} p50`, 'p99', 'refused', 'failed']),
  'MiB before',
  'peak',
  'after',
];

function cells({ seen, memory }: Trial): string[] {
  const times = KINDS.flatMap((kind) => {
    const { refused, failed } = seen[kind];
    return [
      quantile(seen[kind], 0.5).toFixed(1),
      quantile(seen[kind], 0.99).toFixed(1),
      `${refused}`,
      `${failed.length}`,
    ];
  });
  return [...times, memory.before.toFixed(0), memory.peak.toFixed(0), memory.after.toFixed(0)];
}

function print(name: string, values: readonly string[]): void {
  console.log([name.padEnd(20), ...values.map((value) => value.padStart(10))].join(' '));
}

print('milliseconds', HEADINGS);
for (const attack of attacks) {
  const server = await Server.start('--dev-traffic', '20', '--workers', '2');
  await new Promise((resolve) => setTimeout(resolve, HISTORY_MS));
  const trial = await runAttack(server, attack, Number(seconds) * 1000, REST_MS);
  print(attack.name, cells(trial));
  for (const kind of KINDS) {
    const failures = [...new Set(trial.seen[kind].failed)].slice(0, FAILURES_SHOWN);
    for (const failure of failures) console.log(`  ${kind}: ${failure}`);
  }
  await server.stop();
}
