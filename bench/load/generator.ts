// The load generator: a process of its own, so that neither its work nor its garbage is in the servers' figures. Takes
// one job at a time from the bench, prepares it, and begins when it is told.
import { FreshnessTurn } from './freshness-turn.js';
import type { FromGenerator, Job, Live, ToGenerator, TurnReport } from './job.js';
import { LoadTurn } from './load-turn.js';
import { SubscribersTurn } from './subscribers-turn.js';

interface Turn {
  /** `tell` takes what goes on, where that is asked for. */
  run(tell: (live: Live) => void): Promise<TurnReport>;
  /** Ends it before its time; without it a turn is too short for that. */
  cut?(): void;
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

async function take(message: Exclude<ToGenerator, { readonly kind: 'cut' }>): Promise<FromGenerator> {
  if (message.kind === 'go')
    return { kind: 'done', report: await turn!.run((live) => tell({ kind: 'live', ...live })) };
  turn = await prepare(message.job);
  return { kind: 'ready' };
}

const tell = (message: FromGenerator): void => void process.send!(message);

process.on('message', (message: ToGenerator) => {
  if (message.kind === 'cut') return turn?.cut?.();
  take(message).then(tell, (error: unknown) => tell({ kind: 'failed', reason: String(error) }));
});
process.once('disconnect', () => process.exit());
// A terminal's Ctrl-C is meant for the bench, which keeps what there is.
process.on('SIGINT', () => undefined);
