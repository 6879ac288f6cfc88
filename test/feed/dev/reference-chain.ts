// Executes the dev chain's blocks again with the library alone: its own state manager with a real trie, its own blocks.
import { createBlock, createBlockHeaderFromRLP, type Block } from '@ethereumjs/block';
import { createCustomCommon, Hardfork, Mainnet, type Common } from '@ethereumjs/common';
import { MerkleStateManager } from '@ethereumjs/statemanager';
import { createTxFromRLP } from '@ethereumjs/tx';
import { Account, Address } from '@ethereumjs/util';
import { createVM, runBlock, type VM } from '@ethereumjs/vm';
import type { StateChanges } from '../../../src/state/state-diff.js';
import type { CompleteBlock } from '../../../src/state/complete-block.js';

export class ReferenceChain {
  readonly #common: Common;
  readonly #vm: VM;

  private constructor(common: Common, vm: VM) {
    this.#common = common;
    this.#vm = vm;
  }

  static async create(genesis: StateChanges): Promise<ReferenceChain> {
    const common = createCustomCommon({ chainId: 31337 }, Mainnet, { hardfork: Hardfork.Osaka });
    const stateManager = new MerkleStateManager({ common });
    for (const { address, account } of genesis.accounts) {
      const at = new Address(address);
      await stateManager.putAccount(at, new Account(account?.nonce ?? 0n, account?.balance ?? 0n));
      const code = genesis.codes.find(({ hash }) => Buffer.compare(hash, account?.codeHash ?? hash) === 0);
      if (code !== undefined) await stateManager.putCode(at, code.bytes);
    }
    for (const { address, slot, value } of genesis.slots)
      await stateManager.putStorage(new Address(address), slot, value.subarray(value.findIndex((byte) => byte !== 0)));
    return new ReferenceChain(common, await createVM({ common, stateManager }));
  }

  stateRoot(): Promise<Uint8Array> {
    return this.#vm.stateManager.getStateRoot();
  }

  /** Throws if the library disagrees with the header: state root, receipts, gas, bloom, requests. */
  async execute(block: CompleteBlock, parentRoot: Uint8Array): Promise<Block> {
    const header = createBlockHeaderFromRLP(block.header, { common: this.#common });
    const transactions = block.transactions.map(({ raw }) => createTxFromRLP(raw, { common: this.#common }));
    const built = createBlock({ header, transactions, withdrawals: [] }, { common: this.#common });
    if (!(await built.transactionsTrieIsValid())) throw new Error('transactions root');
    await runBlock(this.#vm, { block: built, root: parentRoot, skipBlockValidation: true });
    return built;
  }
}
