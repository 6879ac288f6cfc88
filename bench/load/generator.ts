// The load generator: a separate process, so that neither its work nor its garbage affects the servers' figures.
// Receives one job at a time from the bench, prepares it, and starts on request.
import { FreshnessTurn } from './freshness-turn.js';
import type { FromGenerator, Job, Live, ToGenerator, TurnReport } from './job.js';
import { LoadTurn } from './load-turn.js';
import { SubscribersTurn } from './subscribers-turn.js';

interface Turn {
  /** `onLive` receives live figures, if requested. */
  run(onLive: (live: Live) => void): Promise<TurnReport>;
  /** Ends the turn early; missing if a turn is too short for that. */
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

async function handle(message: Exclude<ToGenerator, { readonly kind: 'cut' }>): Promise<FromGenerator> {
  if (message.kind === 'go')
    return { kind: 'done', report: await turn!.run((live) => send({ kind: 'live', ...live })) };
  turn = await prepare(message.job);
  return { kind: 'ready' };
}

const send = (message: FromGenerator): void => void process.send!(message);

process.on('message', (message: ToGenerator) => {
  if (message.kind === 'cut') return turn?.cut?.();
  handle(message).then(send, (error: unknown) => send({ kind: 'failed', reason: String(error) }));
});
process.once('disconnect', () => process.exit());
// A terminal's Ctrl-C is for the bench, which keeps the results so far.
process.on('SIGINT', () => undefined);
