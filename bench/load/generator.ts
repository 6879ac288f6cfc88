// The load generator: a process of its own, so that neither its work nor its garbage is in the servers' figures. Takes one
// job at a time from the bench, prepares it, and begins when it is told.
import { FreshnessTurn } from './freshness-turn.js';
import type { FromGenerator, Job, ToGenerator, TurnReport } from './job.js';
import { LoadTurn } from './load-turn.js';
import { SubscribersTurn } from './subscribers-turn.js';

interface Turn {
  run(): Promise<TurnReport>;
}

let turn: Turn | null = null;

function prepare(job: Job): Promise<Turn> {
  switch (job.kind) {
    case 'load':
      return LoadTurn.prepare(job);
    case 'subscribers':
      return SubscribersTurn.prepare(job);
    case 'freshness':
      return FreshnessTurn.prepare(job);
  }
}

async function take(message: ToGenerator): Promise<FromGenerator> {
  if (message.kind === 'go') return { kind: 'done', report: await turn!.run() };
  turn = await prepare(message.job);
  return { kind: 'ready' };
}

const tell = (message: FromGenerator): void => void process.send!(message);

process.on('message', (message: ToGenerator) => {
  take(message).then(tell, (error: unknown) => tell({ kind: 'failed', reason: String(error) }));
});
process.once('disconnect', () => process.exit());
