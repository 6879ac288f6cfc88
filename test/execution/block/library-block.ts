// Executes one of our blocks again with @ethereumjs/vm, on a state with real tries. Throws if they differ.
import { createBlock, createBlockHeaderFromRLP } from '@ethereumjs/block';
import { createCustomCommon, Mainnet } from '@ethereumjs/common';
import { MerkleStateManager } from '@ethereumjs/statemanager';
import { createTxFromRLP } from '@ethereumjs/tx';
import { Account, Address, createWithdrawal } from '@ethereumjs/util';
import { createVM, runBlock } from '@ethereumjs/vm';
import { encodeHeader } from '../../../src/chain/block/header.js';
import { CUSTOM_CRYPTO } from '../../../src/evm/ethereumjs-custom-crypto.js';
import type { BlockPlan } from '../../../src/execution/block/block-executor.js';
import type { CompleteBlock } from '../../../src/state/complete-block.js';
import type { AccountChange, CodeChange, SlotChange } from '../../../src/state/state-diff.js';

/** The state before the block. */
export interface StartState {
  readonly accounts: readonly AccountChange[];
  readonly slots: readonly SlotChange[];
  readonly codes: readonly CodeChange[];
}

/** Asserts that roots, receipts, gas, bloom and requests in the header are what the library's own execution gives. */
export async function libraryAccepts(
  fork: string,
  start: StartState,
  plan: BlockPlan,
  block: CompleteBlock,
): Promise<void> {
  const hardforks = Mainnet.hardforks.map(({ name }) => ({ name, block: 0 }));
  const reached = hardforks.slice(0, hardforks.findIndex(({ name }) => name === fork) + 1);
  const consensus = plan.work === null ? { type: 'pos', algorithm: 'casper' } : { type: 'pow', algorithm: 'ethash' };
  const chain = { chainId: 7, hardforks: reached, consensus, defaultHardfork: fork };
  const common = createCustomCommon(chain, Mainnet, { hardfork: fork, customCrypto: CUSTOM_CRYPTO });
  const stateManager = new MerkleStateManager({ common });
  await putState(stateManager, start);
  const vm = await createVM({ common, stateManager });
  const header = createBlockHeaderFromRLP(block.header, { common, skipConsensusFormatValidation: true });
  const built = createBlock(
    {
      header,
      transactions: block.transactions.map(({ raw }) => createTxFromRLP(raw, { common })),
      uncleHeaders: (plan.work?.uncles ?? []).map((uncle) =>
        createBlockHeaderFromRLP(encodeHeader(uncle), { common, skipConsensusFormatValidation: true }),
      ),
      ...(block.withdrawals === null ? {} : { withdrawals: block.withdrawals.map((item) => createWithdrawal(item)) }),
    },
    { common, skipConsensusFormatValidation: true },
  );
  if (!(await built.transactionsTrieIsValid())) throw new Error('transactions root');
  if (block.withdrawals !== null && !(await built.withdrawalsTrieIsValid())) throw new Error('withdrawals root');
  if (!built.uncleHashIsValid()) throw new Error('uncles hash');
  if (built.serialize().length !== block.sizeBytes) throw new Error('size');
  await runBlock(vm, { block: built, skipBlockValidation: true });
}

async function putState(manager: MerkleStateManager, { accounts, slots, codes }: StartState): Promise<void> {
  await manager.checkpoint();
  for (const { address, account } of accounts) {
    const at = new Address(address);
    await manager.putAccount(at, new Account(account?.nonce ?? 0n, account?.balance ?? 0n));
    const code = codes.find(({ hash }) => account !== null && Buffer.compare(hash, account.codeHash) === 0);
    if (code !== undefined) await manager.putCode(at, code.bytes);
  }
  for (const { address, slot, value } of slots)
    await manager.putStorage(new Address(address), slot, value.subarray(value.findIndex((byte) => byte !== 0)));
  await manager.commit();
}
