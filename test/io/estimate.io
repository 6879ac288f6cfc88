// Results of eth_estimateGas and eth_call.

// A plain transfer. A gas limit below 21000 is ignored; a fee or a nonce does not change the result.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","value":"0x1"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x5208"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","value":"0x1","gas":"0x3e8"},"pending"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x5208"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","value":"0x1","gasPrice":"0x77359400","nonce":"0x63","type":"0x0","chainId":"0x7a69"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x5208"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","maxFeePerGas":"0x77359400","maxPriorityFeePerGas":"0x1"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x5208"}

// An empty transaction object creates a contract without code.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{}]}
<< {"jsonrpc":"2.0","id":1,"result":"0xcf08"}

// EIP-7623: a hundred zero bytes of call data to an account without code. The floor cost applies.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x00000000000000000000000000000000000000aa","data":"0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x55f0"}

// EIP-2930: an access list with one address and one slot.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x00000000000000000000000000000000000000aa","accessList":[{"address":"0x00000000000000000000000000000000000000bb","storageKeys":["0x0000000000000000000000000000000000000000000000000000000000000001"]}]}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x62d4"}

// EIP-7702: an authorization list with one entry, whose signature is not valid.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x00000000000000000000000000000000000000aa","authorizationList":[{"chainId":"0x7a69","address":"0x00000000000000000000000000000000000000bb","nonce":"0x0","yParity":"0x0","r":"0x1","s":"0x1"}]}]}
<< {"jsonrpc":"2.0","id":1,"result":"0xb3b0"}

// EIP-4844: the result does not include blob gas.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x00000000000000000000000000000000000000aa","maxFeePerBlobGas":"0x1","blobVersionedHashes":["0x0100000000000000000000000000000000000000000000000000000000000000"]}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x5208"}

// GLD.transfer(pool, 1). `data` and `input` may both be set if they are equal.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x7000000000000000000000000000000000000001","data":"0xa9059cbb00000000000000000000000070000000000000000000000000000000000000100000000000000000000000000000000000000000000000000000000000000001","input":"0xa9059cbb00000000000000000000000070000000000000000000000000000000000000100000000000000000000000000000000000000000000000000000000000000001"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x8494"}

// A state override sets the code, which stores 1 in slot 0. In the second request the slot is already set.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x600160005500"}}]}
<< {"jsonrpc":"2.0","id":1,"result":"0xa862"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x600160005500","stateDiff":{"0x0000000000000000000000000000000000000000000000000000000000000000":"0x0000000000000000000000000000000000000000000000000000000000000002"}}}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x6596"}

// A block override sets the time to 5. The code stores TIMESTAMP - 5, so it stores 0, which is cheap.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x6005420360005500"}},{"time":"0x5"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x5b10"}

// The code calls itself until the gas is used up. With less gas it makes fewer calls and succeeds, too. The result is
// the lowest gas limit that succeeds.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x00000000000000000000000000000000000000aa","gas":"0xea60"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x5f5f5f5f5f305af1"}}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x527a"}

// eth_call returns the return data: NUMBER in the genesis block and with block overrides, and nothing for an account
// without code.
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x00000000000000000000000000000000000000aa"},"earliest",{"0x00000000000000000000000000000000000000aa":{"code":"0x4360005260206000f3"}}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0000000000000000000000000000000000000000000000000000000000000000"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x4360005260206000f3"}},{"number":"0x2a"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x000000000000000000000000000000000000000000000000000000000000002a"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x00000000000000000000000000000000000000aa"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x4360005260206000f3"},"0x00000000000000000000000000000000000000bb":null},{"number":"0x1fffffffffffff"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x000000000000000000000000000000000000000000000000001fffffffffffff"}

// GLD.symbol()
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x7000000000000000000000000000000000000001","data":"0x95d89b41"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x00000000000000000000000000000000000000000000000000000000000000200000000000000000000000000000000000000000000000000000000000000003474c440000000000000000000000000000000000000000000000000000000000"}

// The code calls a contract that stores two slots, and ignores its failure: with all gas but 2500, with half of its
// gas, and with all gas while it measures the gas used. The result is the lowest gas limit with which the callee
// succeeds.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x5f5f5f5f5f60bb6109c45a03f15f5260205ff3"},"0x00000000000000000000000000000000000000bb":{"code":"0x60015f55600160015500"}}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x10bb5"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x5f5f5f5f5f60bb5a60011cf15f5260205ff3"},"0x00000000000000000000000000000000000000bb":{"code":"0x60015f55600160015500"}}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x1ab7d"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x5a5f5f5f5f5f60bb5af15f525a900360205260206020a060205ff3"},"0x00000000000000000000000000000000000000bb":{"code":"0x60015f55600160015500"}}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x10bb1"}
