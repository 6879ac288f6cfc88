// Updates the tracked transactions (`--count-own-sends`) from chain events.
import type { SubmittedTransactionTracker } from '../call/submitted-transaction-tracker.js';
import type { ExecutedBlockLookup } from '../view/executed-block-lookup.js';
import type { ChainEvent, ChainEvents } from './chain-events.js';

/** From now on, reports every chain event to `own`. */
export function keepSubmittedTransactionsUpdated(
  own: SubmittedTransactionTracker,
  events: ChainEvents,
  executed: ExecutedBlockLookup,
): void {
  events.listen(({ event }) => {
    if (!own.isEmpty) report(event, own, executed);
  });
}

function report(event: ChainEvent, own: SubmittedTransactionTracker, executed: ExecutedBlockLookup): void {
  switch (event.kind) {
    case 'increment': {
      const { block } = event.read();
      return own.include(block.number, block.transactions, event.first);
    }
    case 'confirmed':
      own.include(event.number, executed.located(event)?.transactions ?? [], 0);
      return own.age(event.number);
    case 'removed':
      return own.goBack(event.number - 1);
    case 'returned':
      return own.goBack(event.number);
    case 'reset':
      return own.restart();
    case 'dropped':
    case 'changed':
      return;
  }
}
