// Carries out the actions that change nothing but the tree.
import type { BlockTree } from './block-tree.js';
import type { Action } from './decide.js';

/** Actions that have no effect outside of the tree. */
export type TreeAction = Extract<
  Action,
  { readonly kind: 'announce' | 'extend' | 'buffer' | 'orphans' | 'mark' | 'gap' | 'filled' | 'leave' }
>;

export function apply(tree: BlockTree, action: TreeAction): void {
  switch (action.kind) {
    case 'announce':
      return tree.announce(action.payload);
    case 'extend': {
      const { payload, increments, bytes, continuity } = action;
      payload.increments.push(...increments);
      for (const { index } of increments) payload.buffered.delete(index);
      Object.assign(payload, { bytes, continuity });
      return;
    }
    case 'buffer':
      action.buffer.buffered.set(action.increment.index, action.increment);
      action.buffer.bytes = action.bytes;
      return;
    case 'orphans':
      tree.orphans = action.buffer;
      return;
    case 'mark':
      action.payload.continuity = action.continuity;
      return;
    case 'gap':
      tree.unopened = action.unopened ?? tree.unopened;
      return;
    case 'leave':
      return tree.leave(({ block, base }) => block <= action.upTo || (action.isOther && base.parentHash === null));
    case 'filled':
  }
}
