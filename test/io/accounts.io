// Nonces, balances, code and storage of the dev chain's genesis.

// The first account of the well-known test mnemonic. Addresses may be in any letter case, with a valid checksum or not.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266","pending"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0xF39FD6E51AAD88F6F4CE6AB8827279CFFFB92266","pending"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x21e19e0c9bab2400000"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getCode","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x"}

// An account that does not exist is empty.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0x00000000000000000000000000000000000000aa","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0x00000000000000000000000000000000000000aa","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getCode","params":["0x00000000000000000000000000000000000000aa","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x00000000000000000000000000000000000000aa","0x0","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0000000000000000000000000000000000000000000000000000000000000000"}

// Contracts in the genesis state have code, and those of the dev chain have nonce 1.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0x7000000000000000000000000000000000000010","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x1"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getCode","params":["0x000f3df6d732807ef1319fb7b8bb8522d0beac02","latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x3373fffffffffffffffffffffffffffffffffffffffe14604d57602036146024575f5ffd5b5f35801560495762001fff810690815414603c575f5ffd5b62001fff01545f5260205ff35b5f5ffd5b62001fff42064281555f359062001fff015500"}

// Slot 0 of the pool contract contains the address of its first token. It is read with all block parameters and all
// forms of a slot number.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x7000000000000000000000000000000000000010","0x0"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0000000000000000000000007000000000000000000000000000000000000001"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x7000000000000000000000000000000000000010","0x0",null]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0000000000000000000000007000000000000000000000000000000000000001"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x7000000000000000000000000000000000000010","0x","pending"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0000000000000000000000007000000000000000000000000000000000000001"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x7000000000000000000000000000000000000010","0x000","safe"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0000000000000000000000007000000000000000000000000000000000000001"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x7000000000000000000000000000000000000010","0x0000000000000000000000000000000000000000000000000000000000000000","finalized"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0000000000000000000000007000000000000000000000000000000000000001"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x7000000000000000000000000000000000000010","0X0","earliest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0000000000000000000000007000000000000000000000000000000000000001"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x7000000000000000000000000000000000000010","0","0x0"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0000000000000000000000007000000000000000000000000000000000000001"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x7000000000000000000000000000000000000010","",{"blockNumber":"0x0"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0000000000000000000000007000000000000000000000000000000000000001"}

// Several slots in one call.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageValues","params":[{"0x7000000000000000000000000000000000000010":["0x0000000000000000000000000000000000000000000000000000000000000000","0x00000000000000000000000000000000000000000000000000000000000000ff"]},"latest"]}
<< {"jsonrpc":"2.0","id":1,"result":{"0x7000000000000000000000000000000000000010":["0x0000000000000000000000007000000000000000000000000000000000000001","0x0000000000000000000000000000000000000000000000000000000000000000"]}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageValues","params":[{},"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"empty request"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageValues","params":[{"0x7000000000000000000000000000000000000010":["0x0"]},"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal hex string of odd length into Go value of type common.Hash"}}

// A slot number is a hex string of at most 32 bytes.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x7000000000000000000000000000000000000010","0x00000000000000000000000000000000000000000000000000000000000000000","latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"storage key too long (want at most 32 bytes): \"0x00000000000000000000000000000000000000000000000000000000000000000\""}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x7000000000000000000000000000000000000010","0x000000000000000000000000000000000000000000000000000000000000000000","latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"storage key too long (want at most 32 bytes): \"0x000000000000000000000000000000000000000000000000000000000000000000\""}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x7000000000000000000000000000000000000010","0xzz","latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid hex in storage key: \"0xzz\""}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x7000000000000000000000000000000000000010",0,"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: json: cannot unmarshal number into Go value of type string"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getStorageAt","params":["0x7000000000000000000000000000000000000010",{},"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: json: cannot unmarshal object into Go value of type string"}}

// An address is a hex string of 20 bytes with the prefix 0x.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":[""]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex string has length 0, want 40 for common.Address"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0x"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex string has length 0, want 40 for common.Address"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0x1"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal hex string of odd length into Go value of type common.Address"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0x01"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex string has length 2, want 40 for common.Address"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["f39fd6e51aad88f6f4ce6ab8827279cfffb92266"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal hex string without 0x prefix into Go value of type common.Address"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb9226600"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex string has length 42, want 40 for common.Address"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xg39fd6e51aad88f6f4ce6ab8827279cfffb92266"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal invalid hex string into Go value of type common.Address"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":[1]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal non-string into Go value of type common.Address"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":[["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"]]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal non-string into Go value of type common.Address"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":[{"address":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal non-string into Go value of type common.Address"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":[false]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal non-string into Go value of type common.Address"}}

// Balance, nonce and code of an account in one call. An account that does not exist is empty.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getAccountInfo","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x0"]}
<< {"jsonrpc":"2.0","id":1,"result":{"balance":"0x21e19e0c9bab2400000","nonce":"0x0","code":"0x"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getAccountInfo","params":["0x00000000000000000000000000000000000000ee"]}
<< {"jsonrpc":"2.0","id":1,"result":{"balance":"0x0","nonce":"0x0","code":"0x"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getAccountInfo","params":["0x00000000000000000000000000000000000000ee","0xffffff"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"block not found: 0xffffff"}}
