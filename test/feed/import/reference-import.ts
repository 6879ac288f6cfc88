// Executes the sample chain with the library alone: its parser of the genesis file, its state manager, its blocks.
import { readFileSync } from 'node:fs';
import { createBlockFromRLP, type Block } from '@ethereumjs/block';
import { createCommonFromGethGenesis, parseGethGenesisState, type Common, type GethGenesis } from '@ethereumjs/common';
import { RLP } from '@ethereumjs/rlp';
import { MerkleStateManager } from '@ethereumjs/statemanager';
import { createAddressFromString } from '@ethereumjs/util';
import { createEVM } from '@ethereumjs/evm';
import { createVM, runBlock, type VM } from '@ethereumjs/vm';
import { REFERENCE_KZG } from '../../../src/evm/reference/kzg.js';

export class ReferenceImport {
  readonly state: MerkleStateManager;
  readonly #common: Common;
  readonly #vm: VM;
  readonly #blocks: Map<number, Block>;

  private constructor(common: Common, state: MerkleStateManager, vm: VM, blocks: Map<number, Block>) {
    this.#common = common;
    this.state = state;
    this.#vm = vm;
    this.#blocks = blocks;
  }

  /** The state before block 1. */
  static async create(genesisFile: string): Promise<ReferenceImport> {
    const json: GethGenesis = JSON.parse(readFileSync(genesisFile, 'utf8'));
    const common = commonOf(json);
    const state = new MerkleStateManager({ common });
    await state.generateCanonicalGenesis(parseGethGenesisState(json));
    const blocks = new Map<number, Block>();
    const blockchain = {
      getBlock: (number: number) => Promise.resolve(blocks.get(number)!),
      putBlock: () => Promise.resolve(),
      shallowCopy: () => blockchain,
    };
    const evm = await createEVM({ common, stateManager: state, blockchain });
    const vm = await createVM({ common, stateManager: state, blockchain, evm, setHardfork: true });
    return new ReferenceImport(common, state, vm, blocks);
  }

  /** Throws if the library disagrees with the block. */
  async execute(rlp: Uint8Array): Promise<void> {
    const options = { common: this.#common, setHardfork: true, skipConsensusFormatValidation: true };
    const block = createBlockFromRLP(rlp, options);
    await runBlock(this.#vm, { block, skipHeaderValidation: true });
    this.#blocks.set(Number(block.header.number), block);
  }

  async account(address: string): Promise<{ nonce: bigint; balance: bigint; codeHash: Uint8Array } | null> {
    return (await this.state.getAccount(createAddressFromString(address))) ?? null;
  }

  async storage(address: string, slot: Uint8Array): Promise<Uint8Array> {
    return this.state.getStorage(createAddressFromString(address), slot);
  }
}

/** RLP of each block in a chain file. */
export function blocksOf(file: string): Uint8Array[] {
  const blocks: Uint8Array[] = [];
  for (let rest: Uint8Array = readFileSync(file); rest.length > 0;) {
    const { data, remainder } = RLP.decode(rest, true);
    blocks.push(RLP.encode(data));
    rest = remainder;
  }
  return blocks;
}

/**
 * The library places the merge by total difficulty; the sample chain's merge is at block 36. Its parser of blob
 * schedules drops values that it needs later, but the sample's are Ethereum's, which it has built in.
 */
function commonOf(json: GethGenesis): Common {
  Reflect.deleteProperty(json.config, 'blobSchedule');
  const common = createCommonFromGethGenesis(json, { chain: 'sample', customCrypto: { kzg: REFERENCE_KZG } });
  for (const fork of common.hardforks())
    if (fork.name === 'paris' || fork.name === 'mergeNetsplitBlock') Object.assign(fork, { block: 36 });
  return common;
}
