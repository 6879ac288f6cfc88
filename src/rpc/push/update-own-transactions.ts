// Updates the tracked transactions (`--count-own-sends`) from chain events.
import type { OwnTransactions } from '../call/own-transactions.js';
import type { ExecutedBlocks } from '../view/executed-blocks.js';
import type { ChainEvent, ChainEvents } from './chain-events.js';

/** From now on, reports every chain event to `own`. */
export function updateOwnTransactions(own: OwnTransactions, events: ChainEvents, executed: ExecutedBlocks): void {
  events.listen(({ event }) => {
    if (!own.isEmpty) report(event, own, executed);
  });
}

function report(event: ChainEvent, own: OwnTransactions, executed: ExecutedBlocks): void {
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
