// Which methods are forwarded to the upstream node, by list.
import assert from 'node:assert/strict';
import test from 'node:test';
import { parsePassthroughList } from '../../../src/rpc/call/passthrough-filter.js';

const namesOf = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Never forwarded, even if listed. */
const DANGEROUS = namesOf(`
  admin_addPeer admin_nodeInfo personal_unlockAccount personal_sendTransaction engine_newPayloadV4 miner_start
  clique_propose account_signData wallet_addEthereumChain anvil_setBalance evm_mine eth_sign eth_signTransaction
  eth_signTypedData_v4 eth_sendTransaction eth_accounts eth_submitWork eth_newFilter eth_newBlockFilter
  eth_getFilterChanges eth_getFilterLogs eth_uninstallFilter eth_subscribe eth_unsubscribe debug_subscribe
  debug_setHead debug_writeMemProfile debug_cpuProfile
`);
const READS = namesOf('eth_getHeaderByHash eth_getHeaderByNumber eth_getProof eth_sendRawTransaction');
const TRACES = ['debug_traceTransaction', 'trace_block', 'txpool_content'];

test('the standard list forwards reads and signed transactions', () => {
  const passesOn = parsePassthroughList(['standard']);
  for (const method of READS) assert.ok(passesOn(method), method);
  for (const method of [...DANGEROUS, ...TRACES, 'rpc_modules', 'eth_unknown']) assert.ok(!passesOn(method), method);
});

test('trace methods are forwarded only if the list has them', () => {
  const passesOn = parsePassthroughList(['standard', 'trace_*', 'debug_traceTransaction']);
  for (const method of [...READS, 'trace_block', 'trace_filter', 'debug_traceTransaction'])
    assert.ok(passesOn(method), method);
  for (const method of ['debug_traceBlockByNumber', 'txpool_content', 'tracer']) assert.ok(!passesOn(method), method);
});

test('dangerous methods are not forwarded, even if the list has them', () => {
  const passesOn = parsePassthroughList(['*', 'eth_*', 'debug_*']);
  for (const method of DANGEROUS) assert.ok(!passesOn(method), method);
  for (const method of [...READS, ...TRACES]) assert.ok(passesOn(method), method);
});

test('malformed method names are not forwarded', () => {
  const passesOn = parsePassthroughList(['*']);
  for (const method of ['', ' admin_peers', 'admin\u200b_peers', 'eth_getProof\n', `eth_${'x'.repeat(65)}`])
    assert.ok(!passesOn(method), JSON.stringify(method));
});

test('an empty list forwards nothing', () => assert.equal(parsePassthroughList([])('eth_getProof'), false));
