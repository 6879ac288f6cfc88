// Invalid transaction objects, state overrides and block overrides of eth_call and eth_estimateGas, and invalid raw
// transactions.

// Members that exclude each other.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"gasPrice":"0x1","maxFeePerGas":"0x1"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"gasPrice":"0x1","maxPriorityFeePerGas":"0x1"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"data":"0x01","input":"0x02"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"both \"data\" and \"input\" are set and not equal. Please use \"input\" to pass transaction call data"}}

// The transaction is not an object.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":["0x"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal string into Go value of type ethapi.TransactionArgs"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[[]]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal array into Go value of type ethapi.TransactionArgs"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[1]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal number into Go value of type ethapi.TransactionArgs"}}

// Invalid addresses.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"from":"0x01"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex string has length 2, want 40 for common.Address"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"70997970c51812dc3a010c7d01b50e0d17dc79c8"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal hex string without 0x prefix into Go struct field TransactionArgs.to of type common.Address"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":1}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal non-string into Go struct field TransactionArgs.to of type common.Address"}}

// Invalid quantities. An empty string counts as a missing member.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"gas":21000}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal non-string into Go struct field TransactionArgs.gas of type hexutil.Uint64"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"gas":"21000"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal hex string without 0x prefix into Go struct field TransactionArgs.gas of type hexutil.Uint64"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"gas":"0x05208"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal hex number with leading zero digits into Go struct field TransactionArgs.gas of type hexutil.Uint64"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"gas":"0x"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal hex string \"0x\" into Go struct field TransactionArgs.gas of type hexutil.Uint64"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"gas":""}]}
<< {"jsonrpc":"2.0","id":1,"result":"0xcf08"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"gas":"0xxy"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal invalid hex string into Go struct field TransactionArgs.gas of type hexutil.Uint64"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"gas":"0x10000000000000000"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal hex number > 64 bits into Go struct field TransactionArgs.gas of type hexutil.Uint64"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"nonce":"0x00"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal hex number with leading zero digits into Go struct field TransactionArgs.nonce of type hexutil.Uint64"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"value":"0x10000000000000000000000000000000000000000000000000000000000000000"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal hex number > 256 bits into Go struct field TransactionArgs.value of type hexutil.Big"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"value":"-0x1"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal hex string without 0x prefix into Go struct field TransactionArgs.value of type hexutil.Big"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"maxFeePerGas":{}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal non-string into Go struct field TransactionArgs.maxFeePerGas of type hexutil.Big"}}

// Invalid bytes.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"data":"0x1"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal hex string of odd length into Go struct field TransactionArgs.data of type hexutil.Bytes"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"data":"60"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal hex string without 0x prefix into Go struct field TransactionArgs.data of type hexutil.Bytes"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"data":"0xzz"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal invalid hex string into Go struct field TransactionArgs.data of type hexutil.Bytes"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"input":1}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal non-string into Go struct field TransactionArgs.input of type hexutil.Bytes"}}

// Invalid lists.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"accessList":{}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal object into Go struct field TransactionArgs.accessList of type []types.AccessTuple"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"accessList":[{"address":"0x1"}]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal hex string of odd length into Go struct field TransactionArgs.accessList.address of type common.Address"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"blobVersionedHashes":["0x01"]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex string has length 2, want 64 for common.Hash"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"authorizationList":[1]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal number into Go struct field TransactionArgs.authorizationList of type types.SetCodeAuthorization"}}

// Missing members in the entries of an access list or an authorization list.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"accessList":[{"address":"0x00000000000000000000000000000000000000aa"}]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: missing required field 'storageKeys' for AccessTuple"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"accessList":[{"storageKeys":[]}]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: missing required field 'address' for AccessTuple"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"accessList":[{"address":null,"storageKeys":[]}]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: missing required field 'address' for AccessTuple"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x00000000000000000000000000000000000000aa","authorizationList":[{"address":"0x00000000000000000000000000000000000000aa","nonce":"0x0","yParity":"0x0","r":"0x1","s":"0x1"}]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: missing required field 'chainId' for SetCodeAuthorization"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x00000000000000000000000000000000000000aa","authorizationList":[{"chainId":"0x0","address":"0x00000000000000000000000000000000000000aa","nonce":"0x0","r":"0x1","s":"0x1"}]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: missing required field 'yParity' for SetCodeAuthorization"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x00000000000000000000000000000000000000aa","authorizationList":[{"chainId":"0x0","address":"0x00000000000000000000000000000000000000aa","nonce":"0x0","yParity":"0x0","r":"0x1"}]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: missing required field 's' for SetCodeAuthorization"}}

// Invalid state overrides and block overrides.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{},"latest",[]]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 2: json: cannot unmarshal array into Go value of type override.StateOverride"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{},"latest",{"0x1":{}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 2: json: cannot unmarshal hex string of odd length into Go value of type common.Address"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{},"latest",{"0x00000000000000000000000000000000000000aa":{"nonce":"0x01"}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 2: json: cannot unmarshal hex number with leading zero digits into Go struct field OverrideAccount.nonce of type hexutil.Uint64"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{},"latest",{"0x00000000000000000000000000000000000000aa":{"state":{},"stateDiff":{}}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"account 0x00000000000000000000000000000000000000aa has both 'state' and 'stateDiff'"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{},"latest",{"0x00000000000000000000000000000000000000aa":{"stateDiff":{"0x0":"0x0"}}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 2: json: cannot unmarshal hex string of odd length into Go struct field OverrideAccount.stateDiff of type common.Hash"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{},"latest",{"0x00000000000000000000000000000000000000aa":{"movePrecompileToAddress":"0x00000000000000000000000000000000000000bb"}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"account 0x00000000000000000000000000000000000000AA is not a precompile"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{},"latest",{},{"number":1}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 3: json: cannot unmarshal non-string into Go struct field BlockOverrides.number of type hexutil.Big"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{},"latest",{},{"number":"0x20000000000000"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 3: block number larger than 9007199254740991"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{},"latest",{},{"withdrawals":[]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"block override \"withdrawals\" is not supported for this RPC method"}}

// Invalid raw transactions.
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["0x"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"typed transaction too short"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["0x00"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"typed transaction too short"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["00"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal hex string without 0x prefix into Go value of type hexutil.Bytes"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["0x02c0"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"rlp: too few elements for types.DynamicFeeTx"}}

// Member names are not case-sensitive, as in Go's JSON decoder. A call may have members of a transaction that are
// ignored, such as `hash`.
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"TO":"0x00000000000000000000000000000000000000aa","GASPRICE":"0x0","gasLimit":"0x1","hash":"0x12"},"latest",{"0x00000000000000000000000000000000000000aa":{"CODE":"0x4360005260206000f3"}},{"NUMBER":"0x64"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0000000000000000000000000000000000000000000000000000000000000064"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x00000000000000000000000000000000000000aa","gasprice":"1"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal hex string without 0x prefix into Go struct field TransactionArgs.gasPrice of type hexutil.Big"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x00000000000000000000000000000000000000aa","To":"0x00000000000000000000000000000000000000aa"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: duplicate field \"To\""}}
// An empty string means empty bytes, or a missing quantity. As an address it is refused, because of its length.
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x00000000000000000000000000000000000000aa","data":"","input":"","value":"","nonce":""},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"","balance":""}}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x00000000000000000000000000000000000000aa","data":""},"latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x5208"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":""},"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex string has length 0, want 40 for common.Address"}}
// Block overrides may have the member names of go-ethereum, Erigon and alloy, and contain block hashes. Unknown members
// are refused.
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x435f5242602052416040524460605260634060805260a05ff3"}},{"number":"0x64","time":"0x65","feeRecipient":"0x0000000000000000000000000000000000000066","prevRandao":"0x0000000000000000000000000000000000000000000000000000000000000068"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x00000000000000000000000000000000000000000000000000000000000000640000000000000000000000000000000000000000000000000000000000000065000000000000000000000000000000000000000000000000000000000000006600000000000000000000000000000000000000000000000000000000000000680000000000000000000000000000000000000000000000000000000000000000"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x435f5242602052416040524460605260634060805260a05ff3"}},{"blockNumber":"0x64","timestamp":"0x65","coinbase":"0x0000000000000000000000000000000000000066","random":"0x0000000000000000000000000000000000000000000000000000000000000068","blockHash":{"99":"0x1111111111111111111111111111111111111111111111111111111111111111"}}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x00000000000000000000000000000000000000000000000000000000000000640000000000000000000000000000000000000000000000000000000000000065000000000000000000000000000000000000000000000000000000000000006600000000000000000000000000000000000000000000000000000000000000681111111111111111111111111111111111111111111111111111111111111111"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x6063405f5260624060205260405ff3"}},{"number":"0x64","blockHash":{"0x63":"0x1111111111111111111111111111111111111111111111111111111111111111","98":"0x1111111111111111111111111111111111111111111111111111111111111111"}}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x11111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"from":"0x00000000000000000000000000000000000000cc","to":"0x00000000000000000000000000000000000000aa","gasPrice":"0x67","gas":"0x100000"},"latest",{"0x00000000000000000000000000000000000000cc":{"balance":"0xffffffffffff"},"0x00000000000000000000000000000000000000aa":{"code":"0x4860005260206000f3"}},{"baseFee":"0x67"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0000000000000000000000000000000000000000000000000000000000000067"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x4360005260206000f3"}},{"coinbase":"0x0000000000000000000000000000000000000066","gasLimit":"0x7530"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x5219"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x00000000000000000000000000000000000000aa"},"latest",null,{"baseFee":"0x1","basefeePerGas":"0x1"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 3: json: duplicate field \"basefeePerGas\""}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x00000000000000000000000000000000000000aa"},"latest",null,{"miner":"0x0000000000000000000000000000000000000066"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 3: json: unknown field \"miner\""}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x00000000000000000000000000000000000000aa"},"latest",null,{"blockHash":{"ninety":"0x1111111111111111111111111111111111111111111111111111111111111111"}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 3: json: cannot unmarshal hex string without 0x prefix into Go struct field BlockOverrides.blockHash of type hexutil.Uint64"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x00000000000000000000000000000000000000aa"},"latest",null,{"blockHash":{"99":"0x12"}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 3: hex string has length 2, want 64 for common.Hash"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"storage":{}}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 2: json: unknown field \"storage\""}}

// Invalid blobs are refused if the call has no blob hashes. Otherwise blobs are ignored.
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x00000000000000000000000000000000000000aa","blobs":["0x12"]},"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex string has length 2, want 262144 for kzg4844.Blob"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x00000000000000000000000000000000000000aa","blobs":"0x12"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal string into Go struct field TransactionArgs.blobs of type []kzg4844.Blob"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x00000000000000000000000000000000000000aa","blobs":["0x12"],"blobVersionedHashes":["0x0100000000000000000000000000000000000000000000000000000000000000"]},"latest"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x"}
