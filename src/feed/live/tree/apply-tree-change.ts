// Carries out the actions that change nothing but the tree of blocks.
import type { LiveBlockTree } from './block-tree.js';
import type { TreeAction } from './decide-tree-actions.js';

/** Actions that have no effect outside of the tree of blocks. */
type TreeOnlyAction = Extract<
  TreeAction,
  { readonly kind: 'announce' | 'extend' | 'buffer' | 'orphans' | 'mark' | 'gap' | 'filled' | 'leave' }
>;

export function applyTreeAction(tree: LiveBlockTree, action: TreeOnlyAction): void {
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
