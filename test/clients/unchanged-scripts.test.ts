// Scripts as users have them for anvil, hardhat and geth --dev, against the dev chain with --dev-tools: deploy, wait,
// write, read the result, write twice in a row. No script mentions a block or a nonce. PYTHON names an interpreter with
// web3.py, HARDHAT a folder with hardhat 2.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  ContractFactory,
  HDNodeWallet,
  JsonRpcProvider,
  type BaseContract,
  type ContractTransactionResponse,
  type Signer,
} from 'ethers';
import { createPublicClient, createWalletClient, http, type Abi, type Account, type Hex } from 'viem';
import { mnemonicToAccount, parseAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { Web3, type ContractAbi } from 'web3';
import { DEV_ACCOUNT_ADDRESSES, DEV_PRIVATE_KEYS } from '../../src/feed/dev/accounts-and-contract-addresses.js';
import { readDevContractArtifacts } from '../../src/feed/dev/contracts/artifacts.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { Server } from '../support/server.js';
import { temporaryFile } from '../support/temporary-folder.js';
import { PHRASE } from './accounts.js';

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const CAST = `${MODULES}/.bin/cast`;
const BOB = `0x${'10'.repeat(20)}` as const;
const POLLING_MS = 100;
const { abi, creationCode } = readDevContractArtifacts().token;

const run = promisify(execFile);

/** BOB's allowance after one write, and his balance after two more. */
type Seen = readonly [allowance: string, balance: string];
/** A script, and the index of the account that only it uses. */
type Script = (url: string, account: number) => Promise<Seen>;

async function viem(url: string, index: number): Promise<Seen> {
  return viemWith(url, mnemonicToAccount(PHRASE, { addressIndex: index }));
}

/** Without a private key: the node signs. */
async function viemUnlocked(url: string, index: number): Promise<Seen> {
  const [address] = (await createWalletClient({ chain: foundry, transport: http(url) }).getAddresses()).slice(index);
  return viemWith(url, parseAccount(address!));
}

async function viemWith(url: string, account: Account): Promise<Seen> {
  const transport = http(url);
  const wallet = createWalletClient({ account, chain: foundry, transport });
  const reader = createPublicClient({ chain: foundry, transport, pollingInterval: POLLING_MS });
  const waited = (hash: Hex) => reader.waitForTransactionReceipt({ hash });
  const made = await wallet.deployContract({ abi: abi as Abi, bytecode: creationCode as Hex, args: ['A', 'B', 9n] });
  const token = { address: (await waited(made)).contractAddress!, abi: abi as Abi };
  await waited(await wallet.writeContract({ ...token, functionName: 'approve', args: [BOB, 5n] }));
  const allowance = await reader.readContract({ ...token, functionName: 'allowance', args: [account.address, BOB] });
  const first = await wallet.writeContract({ ...token, functionName: 'transfer', args: [BOB, 1n] });
  const second = await wallet.writeContract({ ...token, functionName: 'transfer', args: [BOB, 1n] });
  for (const hash of [first, second]) assert.equal((await waited(hash)).status, 'success');
  return [String(allowance), String(await reader.readContract({ ...token, functionName: 'balanceOf', args: [BOB] }))];
}

/** The token as an ethers contract. */
type EthersToken = BaseContract & {
  readonly approve: (spender: string, value: bigint) => Promise<ContractTransactionResponse>;
  readonly transfer: (to: string, value: bigint) => Promise<ContractTransactionResponse>;
  readonly allowance: (owner: string, spender: string) => Promise<bigint>;
  readonly balanceOf: (owner: string) => Promise<bigint>;
};

async function ethers(url: string, index: number): Promise<Seen> {
  const provider = new JsonRpcProvider(url, undefined, { pollingInterval: POLLING_MS });
  try {
    return await ethersWith(HDNodeWallet.fromPhrase(PHRASE, undefined, `m/44'/60'/0'/0/${index}`).connect(provider));
  } finally {
    provider.destroy();
  }
}

async function ethersWith(signer: Signer): Promise<Seen> {
  const factory = new ContractFactory<unknown[], EthersToken>(JSON.stringify(abi), creationCode, signer);
  const token = (await factory.deploy('A', 'B', 9n)) as EthersToken;
  await token.waitForDeployment();
  await (await token.approve(BOB, 5n)).wait();
  const allowance = await token.allowance(await signer.getAddress(), BOB);
  // Within 250 ms, ethers takes the nonce from its own cache, whatever the node would return.
  for (const value of [1n, 1n]) await (await token.transfer(BOB, value)).wait();
  return [String(allowance), String(await token.balanceOf(BOB))];
}

/** Without a private key: the node signs. */
async function ethersUnlocked(url: string, index: number): Promise<Seen> {
  const provider = new JsonRpcProvider(url, undefined, { pollingInterval: POLLING_MS });
  try {
    return await ethersWith(await provider.getSigner(index));
  } finally {
    provider.destroy();
  }
}

async function web3(url: string, index: number): Promise<Seen> {
  const client = new Web3(url);
  return web3With(client, client.eth.accounts.wallet.add(DEV_PRIVATE_KEYS[index]!).get(0)!.address);
}

/** Without a private key: the node signs. */
async function web3Unlocked(url: string, index: number): Promise<Seen> {
  const client = new Web3(url);
  return web3With(client, (await client.eth.getAccounts())[index]!);
}

async function web3With(client: Web3, from: string): Promise<Seen> {
  client.eth.transactionPollingInterval = POLLING_MS;
  const contract = new client.eth.Contract(abi as ContractAbi);
  const token = await contract.deploy({ data: creationCode, arguments: ['A', 'B', 9n] }).send({ from });
  const { approve, transfer, allowance, balanceOf } = token.methods;
  await approve!(BOB, 5n).send({ from });
  const allowed = await allowance!(from, BOB).call();
  await transfer!(BOB, 1n).send({ from });
  await transfer!(BOB, 1n).send({ from });
  return [String(allowed), String(await balanceOf!(BOB).call())];
}

async function cast(url: string, index: number): Promise<Seen> {
  const key = ['--private-key', DEV_PRIVATE_KEYS[index]!];
  const typed = async (command: string, ...args: readonly string[]): Promise<string> => {
    const { stdout, stderr } = await run(CAST, [command, '--rpc-url', url, ...args]);
    return stdout.trim() || stderr.trim();
  };
  const made = await typed(
    'send',
    ...key,
    '--create',
    creationCode,
    'constructor(string,string,uint256)',
    'A',
    'B',
    '9',
  );
  const [, address] = /contractAddress\s+(0x\w{40})/.exec(made) ?? [];
  assert.ok(address !== undefined, made);
  const send = async (...args: readonly string[]): Promise<void> =>
    assert.match(await typed('send', ...key, address, ...args), /status\s+1/);
  await send('approve(address,uint256)', BOB, '5');
  const owner = toHex(DEV_ACCOUNT_ADDRESSES[index]!);
  const allowance = await typed('call', address, 'allowance(address,address)(uint256)', owner, BOB);
  await send('transfer(address,uint256)', BOB, '1');
  await send('transfer(address,uint256)', BOB, '1');
  return [allowance, await typed('call', address, 'balanceOf(address)(uint256)', BOB)];
}

const WEB3_PY = `
import json, sys
from web3 import Web3
w3 = Web3(Web3.HTTPProvider(sys.argv[1]))
me = w3.eth.account.from_key(sys.argv[2])
bob = sys.argv[3]
w3.eth.default_account = me.address
from web3.middleware import SignAndSendRawMiddlewareBuilder
w3.middleware_onion.inject(SignAndSendRawMiddlewareBuilder.build(me), layer=0)
art = json.load(sys.stdin)
made = w3.eth.contract(abi=art['abi'], bytecode=art['creationCode']).constructor('A', 'B', 9).transact()
token = w3.eth.contract(address=w3.eth.wait_for_transaction_receipt(made).contractAddress, abi=art['abi'])
w3.eth.wait_for_transaction_receipt(token.functions.approve(bob, 5).transact())
allowance = token.functions.allowance(me.address, bob).call()
sent = [token.functions.transfer(bob, 1).transact(), token.functions.transfer(bob, 1).transact()]
assert all(w3.eth.wait_for_transaction_receipt(h).status == 1 for h in sent)
print(allowance, token.functions.balanceOf(bob).call())
`;

async function web3py(url: string, index: number): Promise<Seen> {
  return python(WEB3_PY, url, DEV_PRIVATE_KEYS[index]!);
}

/** Without a private key: the node signs. */
async function web3pyUnlocked(url: string, index: number): Promise<Seen> {
  return python(WEB3_PY_UNLOCKED, url, String(index));
}

async function python(script: string, url: string, account: string): Promise<Seen> {
  const running = run(process.env['PYTHON']!, ['-c', script, url, account, BOB]);
  running.child.stdin!.end(JSON.stringify({ abi, creationCode }));
  const [allowance, balance] = (await running).stdout.trim().split(' ');
  return [allowance!, balance!];
}

const HARDHAT_JS = `
const { BrowserProvider, ContractFactory } = require('ethers');
const [bob, abi, code, account] = process.argv.slice(1);
async function main() {
  const provider = new BrowserProvider(require('hardhat').network.provider, undefined, { cacheTimeout: -1 });
  const signer = await provider.getSigner(Number(account));
  const token = await new ContractFactory(abi, code, signer).deploy('A', 'B', 9n);
  await token.waitForDeployment();
  await (await token.approve(bob, 5n)).wait();
  const allowance = await token.allowance(await signer.getAddress(), bob);
  for (const sent of [await token.transfer(bob, 1n), await token.transfer(bob, 1n)]) await sent.wait();
  console.log(allowance + ' ' + (await token.balanceOf(bob)));
  process.exit(0);
}
main();
`;

/** hardhat's provider signs and fills in fields, as in its users' tests; ethers is this project's. */
async function hardhat(url: string, index: number): Promise<Seen> {
  return hardhatWith({ url, accounts: [DEV_PRIVATE_KEYS[index]] }, 0);
}

/** hardhat's own `localhost` network, whose accounts are the node's. */
async function hardhatUnlocked(url: string, index: number): Promise<Seen> {
  return hardhatWith({ url }, index);
}

async function hardhatWith(network: object, account: number): Promise<Seen> {
  const json = JSON.stringify({ defaultNetwork: 'dev', networks: { dev: network } });
  const config = temporaryFile('hardhat.config.cjs', `module.exports = ${json}`);
  const env = { ...process.env, HARDHAT_CONFIG: config, NODE_PATH: MODULES };
  const args = ['-e', HARDHAT_JS, BOB, JSON.stringify(abi), creationCode, String(account)];
  const { stdout } = await run(process.execPath, args, { cwd: process.env['HARDHAT'], env });
  const [allowance, balance] = stdout.trim().split('\n').at(-1)!.split(' ');
  return [allowance!, balance!];
}

const WEB3_PY_UNLOCKED = `
import json, sys
from web3 import Web3
w3 = Web3(Web3.HTTPProvider(sys.argv[1]))
me = w3.eth.accounts[int(sys.argv[2])]
bob = sys.argv[3]
art = json.load(sys.stdin)
send = lambda call: w3.eth.wait_for_transaction_receipt(call.transact({'from': me}))
made = send(w3.eth.contract(abi=art['abi'], bytecode=art['creationCode']).constructor('A', 'B', 9))
token = w3.eth.contract(address=made.contractAddress, abi=art['abi'])
send(token.functions.approve(bob, 5))
allowance = token.functions.allowance(me, bob).call()
assert all(send(token.functions.transfer(bob, 1)).status == 1 for _ in range(2))
print(allowance, token.functions.balanceOf(bob).call())
`;

type NamedScript = readonly [name: string, script: Script, skip?: string | false];

const NO_PYTHON = process.env['PYTHON'] === undefined && 'PYTHON names no interpreter that has web3.py';
const NO_HARDHAT = process.env['HARDHAT'] === undefined && 'HARDHAT names no folder where hardhat is';

const SCRIPTS: readonly NamedScript[] = [
  ['viem', viem],
  ['ethers', ethers],
  ['web3.js', web3],
  ['cast', cast],
  ['web3.py', web3py, NO_PYTHON],
  ['hardhat', hardhat, NO_HARDHAT],
];

/** Scripts without a private key of their own. */
const UNLOCKED: readonly NamedScript[] = [
  ['viem', viemUnlocked],
  ['ethers', ethersUnlocked],
  ['web3.js', web3Unlocked],
  ['web3.py', web3pyUnlocked, NO_PYTHON],
  ['hardhat', hardhatUnlocked, NO_HARDHAT],
];

describe('with --dev-tools an unchanged script runs', { concurrency: true }, () => {
  let server: Server;
  before(async () => {
    server = await Server.start('--dev-tools');
  });
  after(() => server.stop());

  for (const [index, [name, script, skip = false]] of SCRIPTS.entries()) {
    test(`with ${name}`, { skip }, async () => assert.deepEqual(await script(server.url, index), ['5', '2']));
  }
});

describe('with --dev-tools an unchanged script runs with accounts of the node', { concurrency: true }, () => {
  let server: Server;
  before(async () => {
    server = await Server.start('--dev-tools');
  });
  after(() => server.stop());

  for (const [index, [name, script, skip = false]] of UNLOCKED.entries()) {
    test(`with ${name}`, { skip }, async () => assert.deepEqual(await script(server.url, index), ['5', '2']));
  }
});
