// eth_callMany: bundles of calls, each executed on the state after the calls before it.

// A counter contract is called twice, and once more in the second bundle, which overrides the block number and reads
// it.
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[{"to":"0x00000000000000000000000000000000000000aa"},{"to":"0x00000000000000000000000000000000000000aa"}]},{"transactions":[{"to":"0x00000000000000000000000000000000000000aa"},{"to":"0x00000000000000000000000000000000000000bb"}],"blockOverride":{"number":"0x1234"}}],{"blockNumber":"pending"},{"0x00000000000000000000000000000000000000aa":{"code":"0x5f546001018060005560005260206000f3"},"0x00000000000000000000000000000000000000bb":{"code":"0x4360005260206000f3"}}]}
<< {"jsonrpc":"2.0","id":1,"result":[[{"value":"0x0000000000000000000000000000000000000000000000000000000000000001"},{"value":"0x0000000000000000000000000000000000000000000000000000000000000002"}],[{"value":"0x0000000000000000000000000000000000000000000000000000000000000003"},{"value":"0x0000000000000000000000000000000000000000000000000000000000001234"}]]}

// GLD.approve(pool, 5), then transferFrom by the pool: the second call depends on the allowance that the first one has
// set.
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x7000000000000000000000000000000000000001","data":"0x095ea7b300000000000000000000000070000000000000000000000000000000000000100000000000000000000000000000000000000000000000000000000000000005"},{"from":"0x7000000000000000000000000000000000000010","to":"0x7000000000000000000000000000000000000001","data":"0x23b872dd000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb9226600000000000000000000000000000000000000000000000000000000000000ee0000000000000000000000000000000000000000000000000000000000000005"},{"to":"0x7000000000000000000000000000000000000001","data":"0x70a0823100000000000000000000000000000000000000000000000000000000000000ee"}]}],{"blockNumber":"latest"}]}
<< {"jsonrpc":"2.0","id":1,"result":[[{"value":"0x0000000000000000000000000000000000000000000000000000000000000001"},{"value":"0x0000000000000000000000000000000000000000000000000000000000000001"},{"value":"0x0000000000000000000000000000000000000000000000000000000000000005"}]]}

// A failed call does not change the state, and the next call is still executed.
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[{"to":"0x00000000000000000000000000000000000000aa"},{"to":"0x00000000000000000000000000000000000000bb","gas":"0x186a0"},{"to":"0x00000000000000000000000000000000000000cc"}]}],null,{"0x00000000000000000000000000000000000000aa":{"code":"0x60015f555f5ffd"},"0x00000000000000000000000000000000000000bb":{"code":"0xfe"},"0x00000000000000000000000000000000000000cc":{"code":"0x5f5460005260206000f3"}}]}
<< {"jsonrpc":"2.0","id":1,"result":[[{"error":"execution reverted","data":"0x"},{"error":"invalid opcode: INVALID"},{"value":"0x0000000000000000000000000000000000000000000000000000000000000000"}]]}

// If one call cannot be executed, the whole request fails.
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[{"to":"0x00000000000000000000000000000000000000aa"},{"from":"0x00000000000000000000000000000000000000ee","to":"0x00000000000000000000000000000000000000aa","value":"0x1"}]}]]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"err: insufficient funds for gas * price + value: address 0x00000000000000000000000000000000000000eE have 0 want 1 (supplied gas 49979000)"}}

// A request without calls is refused, and so is an invalid bundle.
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[]}]]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: empty bundles"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[]]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: empty bundles"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{}]]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: missing required field 'transactions' for Bundle"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"to":"0x00000000000000000000000000000000000000aa"}]]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: unknown field \"to\""}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[]},{"transactions":[{"to":"0x00000000000000000000000000000000000000aa"}]}]]}
<< {"jsonrpc":"2.0","id":1,"result":[[],[{"value":"0x"}]]}

// The result of a reverted call contains the revert data and reason: of a custom error, and of `require`.
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[{"to":"0x00000000000000000000000000000000000000aa"},{"to":"0x00000000000000000000000000000000000000bb"}]}],null,{"0x00000000000000000000000000000000000000aa":{"code":"0x631234567860e01b5f5260045ffd"},"0x00000000000000000000000000000000000000bb":{"code":"0x7f08c379a0000000000000000000000000000000000000000000000000000000005f5260206004526003602452626f6e6560e81b60445260645ffd"}}]}
<< {"jsonrpc":"2.0","id":1,"result":[[{"error":"execution reverted","data":"0x12345678"},{"error":"execution reverted: one","data":"0x08c379a0000000000000000000000000000000000000000000000000000000000000002000000000000000000000000000000000000000000000000000000000000000036f6e650000000000000000000000000000000000000000000000000000000000"}]]}

// Block overrides with the member names of Erigon and alloy: number, time, fee recipient, base fee, prevRandao, and a
// block hash.
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[{"from":"0x00000000000000000000000000000000000000cc","to":"0x00000000000000000000000000000000000000aa","gas":"0x100000","gasPrice":"0x67"}],"blockOverride":{"blockNumber":"0x64","timestamp":"0x65","coinbase":"0x0000000000000000000000000000000000000066","baseFee":"0x67","random":"0x0000000000000000000000000000000000000000000000000000000000000068","blockHash":{"99":"0x1111111111111111111111111111111111111111111111111111111111111111"}}}],null,{"0x00000000000000000000000000000000000000cc":{"balance":"0xffffffffffff"},"0x00000000000000000000000000000000000000aa":{"code":"0x435f524260205241604052446060526063406080524860a05260c05ff3"}}]}
<< {"jsonrpc":"2.0","id":1,"result":[[{"value":"0x000000000000000000000000000000000000000000000000000000000000006400000000000000000000000000000000000000000000000000000000000000650000000000000000000000000000000000000000000000000000000000000066000000000000000000000000000000000000000000000000000000000000006811111111111111111111111111111111111111111111111111111111111111110000000000000000000000000000000000000000000000000000000000000067"}]]}
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[{"to":"0x00000000000000000000000000000000000000aa"}],"blockOverride":{"blocknumber":"0x64"}}],null,{"0x00000000000000000000000000000000000000aa":{"code":"0x4360005260206000f3"}}]}
<< {"jsonrpc":"2.0","id":1,"result":[[{"value":"0x0000000000000000000000000000000000000000000000000000000000000064"}]]}
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[{"to":"0x00000000000000000000000000000000000000aa"}],"blockOverride":{"basefee":"0x64","gas":"0x1"}}]]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: unknown field \"gas\""}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[{"to":"0x00000000000000000000000000000000000000aa"}],"blockOverride":{"number":"0x64","blockNumber":"0x65"}}]]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: duplicate field \"blockNumber\""}}

// The context selects a block by number, tag, hash or EIP-1898 object. Unknown members are refused.
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[{"to":"0x00000000000000000000000000000000000000aa"}]}],{"blockHash":"0x1111111111111111111111111111111111111111111111111111111111111111"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"block not found: 0x1111111111111111111111111111111111111111111111111111111111111111"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[{"to":"0x00000000000000000000000000000000000000aa"}]}],{"blockHash":"0x1111111111111111111111111111111111111111111111111111111111111111","blockNumber":"0x0"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: cannot specify both BlockHash and BlockNumber, choose one or the other"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[{"to":"0x00000000000000000000000000000000000000aa"}]}],{"BlockNumber":{"blocknumber":"0x0"}},{"0x00000000000000000000000000000000000000aa":{"Code":"0x4360005260206000f3"}}]}
<< {"jsonrpc":"2.0","id":1,"result":[[{"value":"0x0000000000000000000000000000000000000000000000000000000000000000"}]]}
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[{"to":"0x00000000000000000000000000000000000000aa"}]}],{"block":"0x0"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: json: unknown field \"block\""}}

// transactionIndex -1 selects the state after the whole block. The fourth parameter is a time-out in milliseconds. Then
// invalid parameters.
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[{"to":"0x00000000000000000000000000000000000000aa"}]}],{"blockNumber":"latest","transactionIndex":-1},null,100]}
<< {"jsonrpc":"2.0","id":1,"result":[[{"value":"0x"}]]}
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[{"to":"0x00000000000000000000000000000000000000aa"}]}],null,null,"0x5"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 3: the time must be a number of milliseconds"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[{"to":"0x00000000000000000000000000000000000000aa"}]}],{"blockNumber":"0x100000"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"block not found: 0x100000"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[{}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal object into Go value of type []ethapi.Bundle"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing value for required argument 0"}}

// transactionIndex selects the state after that many transactions of a block, in the block's environment. State
// overrides are applied after these transactions. The code returns NUMBER.
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[{"to":"0x00000000000000000000000000000000000000aa"}]}],{"blockNumber":"0x0","transactionIndex":0},{"0x00000000000000000000000000000000000000aa":{"code":"0x4360005260206000f3"}}]}
<< {"jsonrpc":"2.0","id":1,"result":[[{"value":"0x0000000000000000000000000000000000000000000000000000000000000000"}]]}
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[{"to":"0x00000000000000000000000000000000000000aa"}]}],{"blockNumber":"latest","transactionIndex":0}]}
<< {"jsonrpc":"2.0","id":1,"result":[[{"value":"0x"}]]}
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[{"to":"0x00000000000000000000000000000000000000aa"}]}],{"blockNumber":"pending","transactionIndex":0}]}
<< {"jsonrpc":"2.0","id":1,"result":[[{"value":"0x"}]]}
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[{"to":"0x00000000000000000000000000000000000000aa"}]}],{"blockNumber":"0x0","transactionIndex":null}]}
<< {"jsonrpc":"2.0","id":1,"result":[[{"value":"0x"}]]}

// A transactionIndex that is larger than the block's number of transactions, or invalid.
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[{"to":"0x00000000000000000000000000000000000000aa"}]}],{"blockNumber":"0x0","transactionIndex":1}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: transactionIndex 1 is beyond the 0 transactions of block 0"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[{"to":"0x00000000000000000000000000000000000000aa"}]}],{"blockNumber":"0x100000","transactionIndex":0}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"block not found: 0x100000"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[{"to":"0x00000000000000000000000000000000000000aa"}]}],{"transactionIndex":-2}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: transactionIndex must be a number of transactions, or -1"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[{"to":"0x00000000000000000000000000000000000000aa"}]}],{"transactionIndex":"0x1"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: transactionIndex must be a number of transactions, or -1"}}

// All calls share one gas cap: the first call uses all of it, so that the second cannot be executed.
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[{"to":"0x00000000000000000000000000000000000000bb"},{"to":"0x00000000000000000000000000000000000000aa"}]}],null,{"0x00000000000000000000000000000000000000bb":{"code":"0xfe"}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"gas cap exceeded: the calls together need more than 50000000"}}

// All calls share the limit of the response's size: each of these returns 2 MiB of hex digits.
>> {"jsonrpc":"2.0","id":1,"method":"eth_callMany","params":[[{"transactions":[{"to":"0x00000000000000000000000000000000000000aa"},{"to":"0x00000000000000000000000000000000000000aa"},{"to":"0x00000000000000000000000000000000000000aa"},{"to":"0x00000000000000000000000000000000000000aa"},{"to":"0x00000000000000000000000000000000000000aa"}]}],null,{"0x00000000000000000000000000000000000000aa":{"code":"0x621000005ff3"}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32003,"message":"response too large"}}
