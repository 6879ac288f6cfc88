// The block parameter: tags, numbers, hashes and EIP-1898 objects, and blocks that do not exist.

>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",null]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","earliest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","safe"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","finalized"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x0"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",{"blockNumber":"0x0"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",{"blockNumber":"pending"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0"}

// Reading state at a block that does not exist is an error; the result is never null.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0xffffff"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"block not found: 0xffffff"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0xFFFFFFFFFFFFFFFF"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"block not found: 0xffffffffffffffff"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",{"blockNumber":"0xabcdef"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"block not found: 0xabcdef"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x1111111111111111111111111111111111111111111111111111111111111111"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"block not found: 0x1111111111111111111111111111111111111111111111111111111111111111"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",{"blockHash":"0x1111111111111111111111111111111111111111111111111111111111111111","requireCanonical":true}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"block not found: 0x1111111111111111111111111111111111111111111111111111111111111111"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x7000000000000000000000000000000000000010","0x0","0xffffff"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"block not found: 0xffffff"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x7000000000000000000000000000000000000010","0xffffff"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"block not found: 0xffffff"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getCode","params":["0x7000000000000000000000000000000000000010","0xffffff"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"block not found: 0xffffff"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{},"0xffffff"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"block not found: 0xffffff"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{},"0xffffff"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"block not found: 0xffffff"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_feeHistory","params":["0x1","0xffffff"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"block not found: 0xffffff"}}

// A requested block, receipt or transaction that does not exist is null, as in other clients.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["0xffffff",false]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockByHash","params":["0x1111111111111111111111111111111111111111111111111111111111111111",false]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionReceipt","params":["0x1111111111111111111111111111111111111111111111111111111111111111"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionByHash","params":["0x1111111111111111111111111111111111111111111111111111111111111111"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionByHash","params":["0x11"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex string has length 2, want 64 for common.Hash"}}

// Block numbers are hex quantities of at most 64 bits, without leading zeros.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: hex string \"0x\""}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x00"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: hex number with leading zero digits"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x01"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: hex number with leading zero digits"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","1"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: hex string without 0x prefix"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",""]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: empty hex string"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0xzz"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: invalid hex string"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x10000000000000000"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: hex number > 64 bits"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","LATEST"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: hex string without 0x prefix"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",0]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: json: cannot unmarshal number into Go value of type string"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",true]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: json: cannot unmarshal bool into Go value of type string"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",["latest"]]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: json: cannot unmarshal array into Go value of type string"}}

// An EIP-1898 object must have either a block number or a block hash, not both.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",{}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: either BlockNumber or BlockHash must be given"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",{"blockNumber":"0x0","blockHash":"0x1111111111111111111111111111111111111111111111111111111111111111"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: cannot specify both BlockHash and BlockNumber, choose one or the other"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",{"blockHash":"0x11"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: hex string has length 2, want 64 for common.Hash"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",{"blockNumber":0}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: json: cannot unmarshal number into Go value of type rpc.BlockNumber"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",{"blockNumber":"0x01"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: hex number with leading zero digits"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",{"blockHash":"0x1111111111111111111111111111111111111111111111111111111111111111","requireCanonical":"yes"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: json: cannot unmarshal string into Go struct field erased.requireCanonical of type bool"}}

// A method that takes a block number does not accept a hash.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["0x1111111111111111111111111111111111111111111111111111111111111111",false]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex number > 64 bits"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["latest","yes"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: json: cannot unmarshal string into Go value of type bool"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockByHash","params":["0x11",false]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex string has length 2, want 64 for common.Hash"}}

// The block count of eth_feeHistory is a hex or decimal number, as a JSON number or a string. If it is 0 or empty, the
// result is empty, and the other parameters do not matter.
>> {"jsonrpc":"2.0","id":1,"method":"eth_feeHistory","params":["0x0","latest",[101,7]]}
<< {"jsonrpc":"2.0","id":1,"result":{"oldestBlock":"0x0","gasUsedRatio":null}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_feeHistory","params":[0,"0xffffff"]}
<< {"jsonrpc":"2.0","id":1,"result":{"oldestBlock":"0x0","gasUsedRatio":null}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_feeHistory","params":["","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":{"oldestBlock":"0x0","gasUsedRatio":null}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_feeHistory","params":[[],"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: invalid hex or decimal integer \"[]\""}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_feeHistory","params":[true,"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: invalid hex or decimal integer \"true\""}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_feeHistory","params":[" 0x1","latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: invalid hex or decimal integer \" 0x1\""}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_feeHistory","params":["0x","latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: invalid hex or decimal integer \"0x\""}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_feeHistory","params":["1e1","latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: invalid hex or decimal integer \"1e1\""}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_feeHistory","params":[-1,"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: invalid hex or decimal integer \"-1\""}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_feeHistory","params":["18446744073709551616","latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: invalid hex or decimal integer \"18446744073709551616\""}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_feeHistory","params":["0x1","latest",[100.5]]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"invalid reward percentile: 100.500000"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_feeHistory","params":["0x1","latest",[50,50]]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"invalid reward percentile: #0:50.000000 >= #1:50.000000"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_feeHistory","params":["0x1","latest",["50"]]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 2: json: cannot unmarshal non-number into Go value of type float64"}}

// Methods that take a block number do not accept an EIP-1898 object. Such an object has no other members than those of
// EIP-1898, whose names may be in any letter case.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":[{"blockNumber":"latest"},false]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex string without 0x prefix"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockTransactionCountByNumber","params":[{"blockNumber":"0x0"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex string without 0x prefix"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["0x1111111111111111111111111111111111111111111111111111111111111111",false]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex number > 64 bits"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x0000000000000000000000000000000000000001",{"BlockNumber":"earliest"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x0000000000000000000000000000000000000001",{"blockNumber":"earliest","number":"0x0"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: json: unknown field \"number\""}}

// Uncles: this chain has none. The result is null if the block does not exist, or has no uncle at the index.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getUncleCountByBlockNumber","params":["0x0"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getUncleCountByBlockNumber","params":["pending"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getUncleCountByBlockNumber","params":["0xffffff"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getUncleCountByBlockHash","params":["0x1111111111111111111111111111111111111111111111111111111111111111"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getUncleByBlockNumberAndIndex","params":["0x0","0x0"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getUncleByBlockHashAndIndex","params":["0x1111111111111111111111111111111111111111111111111111111111111111","0x0"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getUncleByBlockNumberAndIndex","params":["0x0"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing value for required argument 1"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getUncleByBlockNumberAndIndex","params":["0x0","x"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: json: cannot unmarshal hex string without 0x prefix into Go value of type hexutil.Uint"}}

// The result for a raw transaction that does not exist is empty bytes, as in go-ethereum.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getRawTransactionByHash","params":["0x1111111111111111111111111111111111111111111111111111111111111111"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getRawTransactionByBlockNumberAndIndex","params":["0x0","0x0"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getRawTransactionByBlockNumberAndIndex","params":["0xffffff","0x0"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getRawTransactionByBlockHashAndIndex","params":["0x1111111111111111111111111111111111111111111111111111111111111111","0x0"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getRawTransactionByHash","params":["0x11"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex string has length 2, want 64 for common.Hash"}}
