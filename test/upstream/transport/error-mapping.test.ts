// Error messages of many kinds of nodes, and the errors to which they are mapped.
import assert from 'node:assert/strict';
import test from 'node:test';
import { mapNodeError, type MappedErrorName } from '../../../src/upstream/transport/error-mapping.js';

type ErrorSample = readonly [code: number, message: string];

const SAMPLES: Readonly<Record<MappedErrorName, readonly ErrorSample[]>> = {
  revert: [
    [3, 'execution reverted: not yours'],
    [-32000, 'execution reverted'],
    [3, 'Execution reverted'],
    [-32603, "VM Exception while processing transaction: reverted with reason string 'unknown block'"],
    [3, 'execution reverted: block not found'],
  ],
  methodNotFound: [
    [-32601, 'the method debug_traceCall does not exist/is not available'],
    [-32601, 'Method not found'],
    [-32004, 'This request method is not supported'],
    [-32600, 'Method eth_call is not available'],
  ],
  notCanonical: [
    [-32000, 'hash is not currently canonical'],
    [-32000, 'hash 0x12ab is not currently canonical'],
  ],
  stateNotKept: [
    [-32000, 'missing trie node 1234abcd (path ) state 0x12 is not available, not found'],
    [-32000, 'historical state 1234 is not available'],
    [-32000, 'state 0x1234 is not available'],
    [-32000, 'required historical state unavailable (reexec=128)'],
    [4444, 'pruned history unavailable'],
    [-32603, 'state at block #12 is pruned'],
    [-32000, 'no state found for block number 12'],
    [-32000, 'distance to target block exceeds maximum proof window'],
    [-32000, 'old data not available due to pruning: requested block 1, history is available from block 9'],
    [-32000, 'history has been pruned for this block'],
    [-32002, 'No state available for block 12 (0x12ab...cd34)'],
    [-32000, 'World state unavailable'],
    [-32603, 'Required data unavailable'],
  ],
  blockNotFound: [
    [-32000, 'header not found'],
    [-32000, 'header for hash not found'],
    [-32000, 'block #12 not found'],
    [-32000, 'unknown block'],
    [-32000, 'request beyond head block: requested 64, head 10'],
    [-32001, 'block not found: hash 0x12'],
    [-32000, 'block not found: 12'],
    [-32000, 'canonical hash not found 12'],
    [-32001, '0x12ab could not be found'],
    [-32001, 'Header not found'],
    [-32001, 'One of the blocks specified in filter (fromBlock, toBlock or blockHash) cannot be found'],
    [-32000, 'Block not found'],
    [-39001, 'Unknown block'],
    [-32602, 'BlockOutOfRangeError: block height is 1 but requested was 9'],
    [-32001, 'Resource not found'],
    [-32000, 'Received invalid block tag 44. Latest block number is 38'],
  ],
  tooManyResults: [
    [-32005, 'query returned more than 10000 results'],
    [-32602, 'query exceeds max block range 100000'],
    [-32602, 'query exceeds max results 20000, retry with the range 1-2'],
    [-32000, 'exceed maximum block range: 5'],
    [-32005, 'Requested range exceeds maximum RPC range limit'],
    [-32000, 'query block range exceeds server limit, please use a smaller range'],
  ],
  responseTooLarge: [
    [-32003, 'response too large'],
    [-32008, 'Response is too big'],
  ],
  overload: [
    [-32005, 'limit exceeded'],
    [-32000, 'too many requests'],
  ],
  timeout: [
    [-32002, 'request timed out'],
    [-32000, 'execution aborted (timeout = 5s)'],
    [-32016, 'eth_call request was canceled due to enabled timeout.'],
    [-32020, 'Timeout'],
    [-32603, 'Timeout expired'],
  ],
};

for (const [means, said] of Object.entries(SAMPLES)) {
  for (const [code, message] of said) {
    test(`${code} ${message} is mapped to ${means}`, () => assert.equal(mapNodeError({ code, message }), means));
  }
}

for (const [code, message] of [
  [-32000, 'already known'],
  [-32000, 'nonce too low: next nonce 9, tx nonce 1'],
  [-32000, 'insufficient funds for gas * price + value: address 0x12 have 0 want 1'],
  [-32000, 'insufficient funds for transfer'],
  [-32602, 'invalid argument 0: hex string without 0x prefix'],
  [-32000, 'transaction not found'],
  [-32000, 'max fee per gas less than block base fee: address 0x12, maxFeePerGas: 1, baseFee: 7'],
  [-32000, 'replacement transaction underpriced'],
  [-32000, 'filter not found'],
  [-32000, 'exceeds block gas limit'],
  [-32000, 'invalid opcode: INVALID'],
  [-32603, 'internal error'],
] as const) {
  test(`${code} ${message} is passed on as the error of the node`, () =>
    assert.equal(mapNodeError({ code, message }), null));
}
