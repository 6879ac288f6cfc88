// Methods whose result is the same on every new dev chain, unknown methods, and invalid parameters.

>> {"jsonrpc":"2.0","id":1,"method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":1,"result":"0x7a69"}
>> {"jsonrpc":"2.0","id":1,"method":"net_version"}
<< {"jsonrpc":"2.0","id":1,"result":"31337"}
>> {"jsonrpc":"2.0","id":1,"method":"web3_clientVersion"}
<< {"jsonrpc":"2.0","id":1,"result":"prestate/v0.1.0"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_syncing"}
<< {"jsonrpc":"2.0","id":1,"result":false}
>> {"jsonrpc":"2.0","id":1,"method":"eth_accounts"}
<< {"jsonrpc":"2.0","id":1,"result":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x70997970c51812dc3a010c7d01b50e0d17dc79c8","0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc","0x90f79bf6eb2c4f870365e785982e1f101e93b906","0x15d34aaf54267db7d7c367839aaf71a00a2c6a65","0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc","0x976ea74026e726554db657fa54763abd0c3a0aa9","0x14dc79964da2c08b23698b3d3cc7ca32193d9955","0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f","0xa0ee7a142d267c1f36714e4a8f75612f20a79720"]}
>> {"jsonrpc":"2.0","id":1,"method":"eth_maxPriorityFeePerGas"}
<< {"jsonrpc":"2.0","id":1,"result":"0xf4240"}

>> {"jsonrpc":"2.0","id":1,"method":"net_listening"}
<< {"jsonrpc":"2.0","id":1,"result":true}
>> {"jsonrpc":"2.0","id":1,"method":"net_peerCount","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0"}
>> {"jsonrpc":"2.0","id":1,"method":"rpc_modules"}
<< {"jsonrpc":"2.0","id":1,"result":{"base":"1.0","debug":"1.0","eth":"1.0","evm":"1.0","net":"1.0","personal":"1.0","rpc":"1.0","trace":"1.0","web3":"1.0"}}

// evm_revert to a snapshot that does not exist.
>> {"jsonrpc":"2.0","id":1,"method":"evm_revert","params":["0x99"]}
<< {"jsonrpc":"2.0","id":1,"result":false}
>> {"jsonrpc":"2.0","id":1,"method":"evm_revert","params":["99"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal hex string without 0x prefix into Go value of type hexutil.Uint64"}}
>> {"jsonrpc":"2.0","id":1,"method":"evm_revert"}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing value for required argument 0"}}

// The Keccak-256 hash of bytes and of empty bytes, and a parameter that is not hex.
>> {"jsonrpc":"2.0","id":1,"method":"web3_sha3","params":["0x68656c6c6f"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x1c8aff950685c2ed4bc3174f3472287b56d9517b9c948127319a09a7a36deac8"}
>> {"jsonrpc":"2.0","id":1,"method":"web3_sha3","params":["0x"]}
<< {"jsonrpc":"2.0","id":1,"result":"0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"}
>> {"jsonrpc":"2.0","id":1,"method":"web3_sha3","params":["hello"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal hex string without 0x prefix into Go value of type hexutil.Bytes"}}
>> {"jsonrpc":"2.0","id":1,"method":"web3_sha3"}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing value for required argument 0"}}

// Unknown methods. Clients recognize them by this error code.
>> {"jsonrpc":"2.0","id":1,"method":"ETH_CHAINID"}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"the method ETH_CHAINID does not exist/is not available"}}
>> {"jsonrpc":"2.0","id":1,"method":""}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"invalid request"}}
>> {"jsonrpc":"2.0","id":1,"method":"a\"b\n"}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"the method a\"b\n does not exist/is not available"}}
>> {"jsonrpc":"2.0","id":1,"method":"constructor"}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"the method constructor does not exist/is not available"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_chain\u0049d"}
<< {"jsonrpc":"2.0","id":1,"result":"0x7a69"}

// `params` must be an array, with at most as many elements as the method has parameters.
>> {"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":{}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"non-array args"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[1]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"too many arguments, want at most 0"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","latest","latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"too many arguments, want at most 2"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":{"address":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"}}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"non-array args"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{},"latest",{},{},{}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"too many arguments, want at most 4"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":"latest"}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"non-array args"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":0}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"non-array args"}}

// Required parameters must not be missing or null.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount"}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing value for required argument 0"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":[]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing value for required argument 0"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":[null]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing value for required argument 0"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x7000000000000000000000000000000000000010"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing value for required argument 1"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x7000000000000000000000000000000000000010",null]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing value for required argument 1"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing value for required argument 0"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[null]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing value for required argument 0"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":[]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing value for required argument 0"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockByHash","params":[]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing value for required argument 0"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":[]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing value for required argument 0"}}

// A transaction by sender and nonce: the nonce is not used yet, missing, or invalid.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionBySenderAndNonce","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x5"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionBySenderAndNonce","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing value for required argument 1"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionBySenderAndNonce","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x05"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: json: cannot unmarshal hex number with leading zero digits into Go value of type hexutil.Uint64"}}

// An invalid time-out is refused; it is not replaced by the default.
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransactionSync","params":["0x02",-1]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: timeoutMs must be a whole number, not below 0"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransactionSync","params":["0x02",1.5]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: timeoutMs must be a whole number, not below 0"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransactionSync","params":["0x02","abc"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: json: cannot unmarshal hex string without 0x prefix into Go struct field timeoutMs of type hexutil.Uint64"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransactionSync","params":["0x02",{}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: timeoutMs must be a whole number, not below 0"}}
