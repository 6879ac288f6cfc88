// Simulated blocks (eth_simulateV1): what is refused, on the genesis block. What they come to, hashes included, is held to the
// execution API's conversations and in test/execution/simulate.

// What cannot be a transaction of its block fails them all: with validation fees, nonces and funds count.
>> {"jsonrpc":"2.0","id":1,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"calls":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x00000000000000000000000000000000000000aa"}]}],"validation":true},"0x0"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-38012,"message":"err: max fee per gas less than block base fee: address 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266, maxFeePerGas: 0, baseFee: 875000000 (supplied gas 30000000)"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"calls":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x00000000000000000000000000000000000000aa","nonce":"0x1","maxFeePerGas":"0x77359400"}]}],"validation":true},"0x0"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-38011,"message":"err: nonce too high: address 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266, tx: 1 state: 0"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"stateOverrides":{"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266":{"nonce":"0x5"}},"calls":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x00000000000000000000000000000000000000aa","nonce":"0x4","maxFeePerGas":"0x77359400"}]}],"validation":true},"0x0"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-38010,"message":"err: nonce too low: address 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266, tx: 4 state: 5"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"calls":[{"from":"0x00000000000000000000000000000000000000ee","to":"0x00000000000000000000000000000000000000aa","value":"0x1"}]}]},"0x0"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-38014,"message":"err: insufficient funds for gas * price + value: address 0x00000000000000000000000000000000000000eE have 0 want 1 (supplied gas 30000000)"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"calls":[{"to":"0x00000000000000000000000000000000000000aa","gas":"0x5207"}]}]},"0x0"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-38013,"message":"err: intrinsic gas too low: have 20999, want 21000 (supplied gas 20999)"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"blockOverrides":{"gasLimit":"0x7530"},"calls":[{"to":"0x00000000000000000000000000000000000000aa"},{"to":"0x00000000000000000000000000000000000000aa","gas":"0x5208"}]}]},"0x0"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-38015,"message":"block gas limit reached: remaining: 9000, required: 21000"}}

// All calls together have the gas cap. What the first one leaves is too little for a second.
>> {"jsonrpc":"2.0","id":1,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"stateOverrides":{"0x00000000000000000000000000000000000000aa":{"code":"0xfe"}},"blockOverrides":{"gasLimit":"0x5f5e100"},"calls":[{"to":"0x00000000000000000000000000000000000000aa"},{"to":"0x00000000000000000000000000000000000000bb"}]}]},"0x0"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-38013,"message":"err: intrinsic gas too low: have 0, want 21000 (supplied gas 0)"}}

// Numbers and times go up, at most 256 blocks from the first.
>> {"jsonrpc":"2.0","id":1,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"blockOverrides":{"number":"0x3"}},{"blockOverrides":{"number":"0x3"}}]},"0x0"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-38020,"message":"block numbers must be in order: 3 <= 3"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"blockOverrides":{"number":"0x101"}}]},"0x0"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-38026,"message":"too many blocks"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_simulateV1","params":[{"blockStateCalls":[]},"0x0"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"empty input"}}

// Overrides and parameters that are not as they must be.
>> {"jsonrpc":"2.0","id":1,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"stateOverrides":{"0x00000000000000000000000000000000000000aa":{"movePrecompileToAddress":"0x00000000000000000000000000000000000000bb"}}}]},"0x0"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"account 0x00000000000000000000000000000000000000AA is not a precompile"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"stateOverrides":{"0x00000000000000000000000000000000000000aa":{"state":{},"stateDiff":{}}}}]},"0x0"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"account 0x00000000000000000000000000000000000000aa has both 'state' and 'stateDiff'"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"calls":[{"nonce":"1"}]}]},"0x0"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal hex string without 0x prefix into Go struct field TransactionArgs.nonce of type hexutil.Uint64"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_simulateV1","params":[{"blockStateCalls":[{}],"validation":"yes"},"0x0"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal string into Go struct field simOpts.validation of type bool"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_simulateV1","params":[{"blockStateCalls":[{}]},"0x100000"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"block not found: 0x100000"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_simulateV1","params":[]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing value for required argument 0"}}

// Overrides by the names of Erigon and alloy do the same, hashes of blocks too; what no struct has is refused by name.
>> {"jsonrpc":"2.0","id":1,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"blockOverrides":{"Number":"0x2","timestamp":"0x20000000000","coinbase":"0x0000000000000000000000000000000000000066"}}]},"0x100000"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"block not found: 0x100000"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"blockOverrides":{"miner":"0x0000000000000000000000000000000000000066"}}]},"0x100000"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: unknown field \"miner\""}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"calls":[],"overrides":{}}]},"0x0"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: unknown field \"overrides\""}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_simulateV1","params":[{"blockStateCalls":[{}],"trace":true},"0x0"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: unknown field \"trace\""}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_simulateV1","params":[{"blockStateCalls":[{"blockOverrides":{"withdrawals":[{"Index":"0x0","amount":"0x1","to":"0x0000000000000000000000000000000000000066"}]}}]},"0x0"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: unknown field \"to\""}}
