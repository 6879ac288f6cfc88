// The load generator: a process of its own, so that neither its work nor its garbage is in the servers' figures. Takes one
// job at a time from the bench, prepares it, and begins when it is told.
import { lowerHelperThreads } from '../../src/lib/thread-priority.js';
import { shortenThreadSlice } from '../../src/lib/thread-slice.js';
import { LIMITS } from '../../src/limits.js';
import { FreshnessTurn } from './freshness-turn.js';
import type { FromGenerator, Job, ToGenerator, TurnReport } from './job.js';
import { LoadTurn } from './load-turn.js';
import { SubscribersTurn } from './subscribers-turn.js';

// What waits for a core here is told as time of the servers: the thread takes one as soon as something is due, and goes before
// those that compile it.
lowerHelperThreads(LIMITS.helperNice);
shortenThreadSlice();

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
