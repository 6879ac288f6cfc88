// The dev chain's genesis compared with what its contracts return: balances, allowances, names and reserves are in the
// slots where the compiled code reads them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { createEVM } from '@ethereumjs/evm';
import { MerkleStateManager } from '@ethereumjs/statemanager';
import { Account, Address } from '@ethereumjs/util';
import { Interface } from 'ethers';
import { keccak256 } from '../../../src/lib/bytes/keccak-wasm.js';
import { PrivateKeySigner } from '../../../src/transaction/ethereumjs-transaction.js';
import { readDevContractArtifacts } from '../../../src/feed/dev/contracts/artifacts.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import {
  DEV_ACCOUNT_ADDRESSES,
  DEV_CHAIN,
  DEV_GOLD_TOKEN,
  DEV_SWAP_POOL,
  DEV_SILVER_TOKEN,
  TRAFFIC_ACCOUNTS,
  devGenesisState,
  trafficKey,
} from '../../../src/feed/dev/genesis.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import { devWallet } from '../keys.js';

const { token, pool } = readDevContractArtifacts();
const tokenAbi = new Interface(JSON.stringify(token.abi));
const poolAbi = new Interface(JSON.stringify(pool.abi));
const UNIT = 10n ** 18n;

/** The library's EVM on the genesis state. */
async function genesisEvm(): Promise<Awaited<ReturnType<typeof createEVM>>> {
  const common = new Common({ chain: Mainnet, hardfork: Hardfork.Osaka });
  const stateManager = new MerkleStateManager({ common });
  const { accounts, slots, codes } = devGenesisState();
  for (const { address, account } of accounts) {
    assert.ok(account !== null);
    const at = new Address(address);
    await stateManager.putAccount(at, new Account(account.nonce, account.balance));
    const code = codes.find(({ hash }) => Buffer.compare(hash, account.codeHash) === 0);
    if (code !== undefined) await stateManager.putCode(at, code.bytes);
  }
  for (const { address, slot, value } of slots)
    await stateManager.putStorage(new Address(address), slot, trimmed(value));
  return createEVM({ common, stateManager });
}

function trimmed(word: Uint8Array): Uint8Array {
  const start = word.findIndex((byte) => byte !== 0);
  return start < 0 ? new Uint8Array(0) : word.subarray(start);
}

const evm = await genesisEvm();

interface Answer {
  readonly failed: boolean;
  readonly data: string;
}

async function call(from: Uint8Array, to: Uint8Array, data: string): Promise<Answer> {
  const { execResult } = await evm.runCall({
    caller: new Address(from),
    to: new Address(to),
    data: fromHex(data),
    gasLimit: 1_000_000n,
  });
  return { failed: execResult.exceptionError !== undefined, data: toHex(execResult.returnValue) };
}

async function query(abi: Interface, to: Uint8Array, name: string, ...args: unknown[]): Promise<unknown[]> {
  const answer = await call(DEV_ACCOUNT_ADDRESSES[0]!, to, abi.encodeFunctionData(name, args));
  assert.equal(answer.failed, false);
  return [...abi.decodeFunctionResult(name, answer.data)];
}

void describe('accounts', () => {
  void it('the ten accounts of the mnemonic have 10,000 ether each', () => {
    const { accounts } = devGenesisState();
    DEV_ACCOUNT_ADDRESSES.forEach((address, i) => {
      assert.equal(toHex(address), devWallet(i).address.toLowerCase());
      const entry = accounts.find((other) => other.address === address);
      assert.deepEqual([entry?.account?.balance, entry?.account?.nonce], [10_000n * UNIT, 0n]);
    });
  });

  void it('the table of traffic accounts matches their keys', () => {
    const rules = createChainRules(DEV_CHAIN).at(0, 0);
    TRAFFIC_ACCOUNTS.forEach((address, i) => {
      const to = new Uint8Array(20);
      const fields = { nonce: 0n, tipCap: 0n, feeCap: 7n, gasLimit: 21_000n, to, value: 0n, data: new Uint8Array(0) };
      const tx = new PrivateKeySigner(trafficKey(i)).sign(fields, rules);
      assert.deepEqual(tx.getSenderAddress().bytes, address);
    });
  });

  void it('every key is listed once, every code is present', () => {
    const { accounts, slots, codes } = devGenesisState();
    assert.equal(new Set(accounts.map(({ address }) => toHex(address))).size, accounts.length);
    assert.equal(new Set(slots.map(({ address, slot }) => toHex(address) + toHex(slot))).size, slots.length);
    for (const { hash, bytes } of codes) assert.deepEqual(keccak256(bytes), hash);
    const contracts = accounts.filter(({ account }) => account?.nonce === 1n);
    assert.equal(contracts.length, 7);
    for (const { account } of contracts)
      assert.ok(codes.some(({ hash }) => Buffer.compare(hash, account!.codeHash) === 0));
  });
});

void describe('tokens', () => {
  for (const [address, name, symbol, pooled] of [
    [DEV_GOLD_TOKEN, 'Prestate Gold', 'GLD', 5_000_000n],
    [DEV_SILVER_TOKEN, 'Prestate Silver', 'SLV', 10_000_000n],
  ] as const) {
    void it(name, async () => {
      assert.deepEqual(await query(tokenAbi, address, 'name'), [name]);
      assert.deepEqual(await query(tokenAbi, address, 'symbol'), [symbol]);
      assert.deepEqual(await query(tokenAbi, address, 'decimals'), [18n]);
      assert.deepEqual(await query(tokenAbi, address, 'balanceOf', toHex(DEV_SWAP_POOL)), [pooled * UNIT]);
      let supply = pooled * UNIT;
      for (const holder of [...DEV_ACCOUNT_ADDRESSES, ...TRAFFIC_ACCOUNTS]) {
        const [balance] = await query(tokenAbi, address, 'balanceOf', toHex(holder));
        assert.ok(typeof balance === 'bigint' && balance >= 1_000_000n * UNIT);
        supply += balance;
        const allowance = await query(tokenAbi, address, 'allowance', toHex(holder), toHex(DEV_SWAP_POOL));
        assert.deepEqual(allowance, [2n ** 256n - 1n]);
      }
      assert.deepEqual(await query(tokenAbi, address, 'totalSupply'), [supply]);
    });
  }

  void it('a transfer that exceeds the balance reverts with a custom error', async () => {
    const stranger = new Uint8Array(20).fill(9);
    const data = tokenAbi.encodeFunctionData('transfer', [toHex(DEV_SWAP_POOL), 5n]);
    const answer = await call(stranger, DEV_GOLD_TOKEN, data);
    assert.ok(answer.failed);
    const error = tokenAbi.parseError(answer.data);
    assert.equal(error?.name, 'ERC20InsufficientBalance');
    assert.deepEqual([...(error?.args ?? [])].slice(1), [0n, 5n]);
  });
});

void describe('pool', () => {
  void it('the pool has liquidity', async () =>
    assert.deepEqual(await query(poolAbi, DEV_SWAP_POOL, 'reserves'), [5_000_000n * UNIT, 10_000_000n * UNIT]));

  void it('swaps follow the constant product formula, less 0.3 %', async () => {
    const amount = 1000n * UNIT;
    const kept = amount * 997n;
    const expected = (kept * 10_000_000n * UNIT) / (5_000_000n * UNIT * 1000n + kept);
    assert.deepEqual(await query(poolAbi, DEV_SWAP_POOL, 'quote', toHex(DEV_GOLD_TOKEN), amount), [expected]);
    const data = poolAbi.encodeFunctionData('swap', [
      toHex(DEV_GOLD_TOKEN),
      amount,
      expected,
      toHex(DEV_ACCOUNT_ADDRESSES[1]!),
    ]);
    assert.equal((await call(DEV_ACCOUNT_ADDRESSES[0]!, DEV_SWAP_POOL, data)).failed, false);
    const balance = await query(tokenAbi, DEV_SILVER_TOKEN, 'balanceOf', toHex(DEV_ACCOUNT_ADDRESSES[1]!));
    assert.deepEqual(balance, [1_000_000n * UNIT + expected]);
    assert.deepEqual(await query(poolAbi, DEV_SWAP_POOL, 'reserves'), [
      5_001_000n * UNIT,
      10_000_000n * UNIT - expected,
    ]);
  });

  void it('an output below the minimum reverts with a reason string', async () => {
    const from = DEV_ACCOUNT_ADDRESSES[0]!;
    const data = poolAbi.encodeFunctionData('swap', [toHex(DEV_SILVER_TOKEN), UNIT, 10n * UNIT, toHex(from)]);
    const answer = await call(from, DEV_SWAP_POOL, data);
    assert.ok(answer.failed);
    assert.deepEqual([...(poolAbi.parseError(answer.data)?.args ?? [])], ['Pool: insufficient output amount']);
  });
});
