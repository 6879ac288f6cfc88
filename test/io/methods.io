// Methods whose answer is the same on every fresh dev chain, and methods that are not there.

>> {"jsonrpc":"2.0","id":1,"method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":1,"result":"0x7a69"}
>> {"jsonrpc":"2.0","id":1,"method":"net_version"}
<< {"jsonrpc":"2.0","id":1,"result":"31337"}
>> {"jsonrpc":"2.0","id":1,"method":"web3_clientVersion"}
<< {"jsonrpc":"2.0","id":1,"result":"prestate/v0.1.0"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_syncing"}
<< {"jsonrpc":"2.0","id":1,"result":false}
>> {"jsonrpc":"2.0","id":1,"method":"eth_accounts"}
<< {"jsonrpc":"2.0","id":1,"result":[]}
>> {"jsonrpc":"2.0","id":1,"method":"eth_maxPriorityFeePerGas"}
<< {"jsonrpc":"2.0","id":1,"result":"0xf4240"}

>> {"jsonrpc":"2.0","id":1,"method":"net_listening"}
<< {"jsonrpc":"2.0","id":1,"result":true}
>> {"jsonrpc":"2.0","id":1,"method":"net_peerCount","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0"}
>> {"jsonrpc":"2.0","id":1,"method":"rpc_modules"}
<< {"jsonrpc":"2.0","id":1,"result":{"eth":"1.0","net":"1.0","rpc":"1.0","web3":"1.0"}}

// The hash of bytes: of none, and of what is no hex.
>> {"jsonrpc":"2.0","id":1,"method":"web3_sha3","params":["0x68656c6c6f"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x1c8aff950685c2ed4bc3174f3472287b56d9517b9c948127319a09a7a36deac8"}
>> {"jsonrpc":"2.0","id":1,"method":"web3_sha3","params":["0x"]}
<< {"jsonrpc":"2.0","id":1,"result":"0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"}
>> {"jsonrpc":"2.0","id":1,"method":"web3_sha3","params":["hello"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal hex string without 0x prefix into Go value of type hexutil.Bytes"}}
>> {"jsonrpc":"2.0","id":1,"method":"web3_sha3"}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing value for required argument 0"}}

// Anything else; viem and cast look for this code.
>> {"jsonrpc":"2.0","id":1,"method":"eth_fillTransaction","params":[{}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"the method eth_fillTransaction does not exist/is not available"}}
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

// params is an array, of no more than the method takes.
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

// What is required must be there.
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
