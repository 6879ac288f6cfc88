// viem and ethers send twenty transactions, none of which gets into a block, through a server that counts them and one
// that does not.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { JsonRpcProvider, Transaction, Wallet } from 'ethers';
import { createWalletClient, http, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { trafficKey } from '../../src/feed/dev/genesis.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { RULES, genesis, makeBlock } from '../feed/live/chain-maker.js';
import { Server } from '../support/server.js';
import { UpstreamNode } from '../support/upstream-node.js';

const COUNT = 20;
const RECEIVER = '0x00000000000000000000000000000000000000aa';
const ALL = Array.from({ length: COUNT }, (_, nonce) => nonce);

/** Sends transactions one after the other, each once the previous one is answered. */
type Script = (url: string, key: string) => Promise<void>;

const SCRIPTS: Readonly<Record<string, Script>> = {
  async viem(url, key) {
    const account = privateKeyToAccount(key as Hex);
    const client = createWalletClient({ account, chain: foundry, transport: http(url) });
    for (let sent = 0; sent < COUNT; sent++) await client.sendTransaction({ to: RECEIVER, value: BigInt(sent) });
  },
  async ethers(url, key) {
    // Without the cache, which would return the nonce from a quarter of a second ago.
    const provider = new JsonRpcProvider(url, undefined, { cacheTimeout: -1 });
    try {
      const wallet = new Wallet(key, provider);
      for (let sent = 0; sent < COUNT; sent++) await wallet.sendTransaction({ to: RECEIVER, value: BigInt(sent) });
    } finally {
      provider.destroy();
    }
  },
};

describe('twenty transactions sent without waiting have', () => {
  let node: UpstreamNode;
  let nonces: number[];

  before(async () => {
    const root = genesis();
    node = await UpstreamNode.start({ chainId: RULES.chain.chainId, blocks: [root, await makeBlock(root, [])] });
    node.methods.set('eth_sendRawTransaction', ([raw]) => {
      const { nonce, hash } = Transaction.from(String(raw));
      nonces.push(nonce);
      return hash;
    });
    // Clients look up what they have sent.
    node.methods.set('eth_getTransactionByHash', () => null);
  });
  after(() => node.close());

  for (const [what, flags, expected] of [
    ['twenty different nonces with --count-own-sends', ['--count-own-sends'], ALL],
    ['one nonce without --count-own-sends', [], ALL.map(() => 0)],
  ] as const)
    test(what, async (t) => {
      const server = await Server.start('--upstream', node.url, '--passthrough', ...flags);
      t.after(() => server.stop());
      for (const [index, [name, script]] of Object.entries(SCRIPTS).entries()) {
        nonces = [];
        await script(server.url, toHex(trafficKey(index)));
        assert.deepEqual(nonces, expected, name);
      }
    });
});
