// Methods that read accounts, storage and code.
import { rpcError } from '../../rpc-errors.js';
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import { LIMITS } from '../../limits/index.js';
import type { AccountState, StateView } from '../../state/views/state-view.js';
import type { RpcArguments } from '../params/arguments.js';
import type { MethodFunction, MethodFunctionByName, MethodResult } from '../call/method-types.js';
import type { SubmittedTransactionTracker } from '../call/submitted-transaction-tracker.js';
import type { ReadView } from '../view/pinned-read-view.js';

/** Creates a method that reads one account at the block in its second parameter. */
function ofAccount(render: (account: AccountState | null, view: StateView) => string): MethodFunction {
  return (args, readView) => {
    const address = args.address(0);
    return atBlock(args, 1, readView, (view) => render(view.account(address), view));
  };
}

/** Resolves the block parameter at `index`, and reads from that block's state. */
function atBlock(
  args: RpcArguments,
  index: number,
  readView: ReadView,
  read: (view: StateView) => string,
): MethodResult {
  const block = args.block(index);
  if (args.failure) return args.failure;
  const position = readView.resolve(block);
  if ('error' in position) return position;
  return position.kind === 'upstream' ? args.forward(index, position) : read(readView.view(position));
}

export interface AccountDeps {
  /**
   * Transactions submitted through this program that are not included yet. `null` if only pre-confirmed transactions
   * count in the nonce at `pending`.
   */
  readonly ownSends: Pick<SubmittedTransactionTracker, 'next' | 'at'> | null;
}

function codeText(account: AccountState | null, view: StateView): string {
  return account === null ? '0x' : toHex(view.code(account.codeHash));
}

type StorageRequest = readonly (readonly [text: string, address: Uint8Array, slots: readonly Uint8Array[]])[];

function readStorageRequest(args: RpcArguments): StorageRequest {
  const type = 'map[common.Address][]common.Hash';
  const members = Object.entries(args.object(args.required(0), type, { index: 0 }));
  return members.map(([text, list]) => {
    const address = args.fixedBytes(text, 20, 'common.Address', { index: 0 });
    const slots = args.array(list, '[]common.Hash', { index: 0 });
    return [text, address, slots.map((slot) => args.fixedBytes(slot, 32, 'common.Hash', { index: 0 }))];
  });
}

export const accountMethods = {
  /**
   * `[address, block?]`: returns the nonce as a quantity; 0 if the account does not exist. At `pending`, transactions
   * that were submitted through this program and are not included yet count as well, if they are tracked.
   */
  eth_getTransactionCount: (args, readView, { ownSends }) => {
    const address = args.address(0);
    const counts = args.block(1).kind === 'pending' ? ownSends : null;
    return atBlock(args, 1, readView, (view) => {
      const nonce = view.account(address)?.nonce ?? 0n;
      return `"${toQuantity(counts?.next(address, nonce) ?? nonce)}"`;
    });
  },

  /** `[address, block?]`: returns the balance in wei as a quantity; 0 if the account does not exist. */
  eth_getBalance: ofAccount((account) => `"${toQuantity(account?.balance ?? 0n)}"`),

  /** `[address, block?]`: returns the account's code as hex; `0x` if it has none. */
  eth_getCode: ofAccount((account, view) => `"${codeText(account, view)}"`),

  /** `[address, block?]`: returns balance, nonce and code in one object, as in reth. */
  eth_getAccountInfo: ofAccount((account, view) => {
    const { balance, nonce } = account ?? { balance: 0n, nonce: 0n };
    return JSON.stringify({ balance: toQuantity(balance), nonce: toQuantity(nonce), code: codeText(account, view) });
  }),

  /** `[address, slot, block?]`: returns the 32-byte word in the storage slot. */
  eth_getStorageAt: (args, readView) => {
    const address = args.address(0);
    const slot = args.slot(1);
    return atBlock(args, 2, readView, (view) => `"${toHex(view.storage(address, slot))}"`);
  },

  /** `[{address: [slot, ...], ...}, block?]`: returns the same object with the storage words in place of the slots. */
  eth_getStorageValues: (args, readView) => {
    const request = readStorageRequest(args);
    if (args.failure) return args.failure;
    if (request.length === 0) return rpcError('invalidParams', 'empty request');
    const slots = request.reduce((sum, [, , keys]) => sum + keys.length, 0);
    if (slots > LIMITS.storageValuesMax) {
      return rpcError('invalidParams', `too many slots (max ${LIMITS.storageValuesMax})`);
    }
    return atBlock(args, 1, readView, (view) => {
      const members = request.map(([text, address, keys]) => {
        return `${JSON.stringify(text)}:[${keys.map((key) => `"${toHex(view.storage(address, key))}"`).join(',')}]`;
      });
      return `{${members.join(',')}}`;
    });
  },
} satisfies MethodFunctionByName<AccountDeps>;
