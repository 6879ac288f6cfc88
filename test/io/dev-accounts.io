// The dev chain signs for its own accounts, like a wallet. For other accounts it does not sign.

// Signing a message (EIP-191) with eth_sign or personal_sign, whose parameters are in different orders.
>> {"jsonrpc":"2.0","id":1,"method":"eth_sign","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x68656c6c6f"]}
<< {"jsonrpc":"2.0","id":1,"result":"0xf16ea9a3478698f695fd1401bfe27e9e4a7e8e3da94aa72b021125e31fa899cc573c48ea3fe1d4ab61a9db10c19032026e3ed2dbccba5a178235ac27f94504311c"}
>> {"jsonrpc":"2.0","id":1,"method":"personal_sign","params":["0x68656c6c6f","0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"]}
<< {"jsonrpc":"2.0","id":1,"result":"0xf16ea9a3478698f695fd1401bfe27e9e4a7e8e3da94aa72b021125e31fa899cc573c48ea3fe1d4ab61a9db10c19032026e3ed2dbccba5a178235ac27f94504311c"}
>> {"jsonrpc":"2.0","id":1,"method":"personal_sign","params":["0x68656c6c6f","0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","any password"]}
<< {"jsonrpc":"2.0","id":1,"result":"0xf16ea9a3478698f695fd1401bfe27e9e4a7e8e3da94aa72b021125e31fa899cc573c48ea3fe1d4ab61a9db10c19032026e3ed2dbccba5a178235ac27f94504311c"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_sign","params":["0x00000000000000000000000000000000000000aa","0x00"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"unknown account"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_sign","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing value for required argument 1"}}

// Signing typed structured data (EIP-712), which is passed as an object or as a JSON string.
>> {"jsonrpc":"2.0","id":1,"method":"eth_signTypedData_v4","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",{"types":{"Order":[{"name":"amount","type":"uint256"}]},"primaryType":"Order","domain":{"name":"a"},"message":{"amount":5}}]}
<< {"jsonrpc":"2.0","id":1,"result":"0xdf5949366f7aa29d9d2018ae8ce2d7c340dafbb2c50e9cb9357dc3e46d3622e170f7da060b54cfae603b5cc167ff38f23764be36604c3b4bb08df9725124d6b11c"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_signTypedData_v4","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","{\"types\":{\"Order\":[{\"name\":\"amount\",\"type\":\"uint256\"}]},\"primaryType\":\"Order\",\"domain\":{\"name\":\"a\"},\"message\":{\"amount\":5}}"]}
<< {"jsonrpc":"2.0","id":1,"result":"0xdf5949366f7aa29d9d2018ae8ce2d7c340dafbb2c50e9cb9357dc3e46d3622e170f7da060b54cfae603b5cc167ff38f23764be36604c3b4bb08df9725124d6b11c"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_signTypedData_v4","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","{"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: typed data is no object"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_signTypedData_v4","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",{"types":{"Order":[{"name":"amount","type":"uint256"}]},"primaryType":"Order","domain":{"name":"a"},"message":{"amount":-5}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 1: -5 is no uint256"}}

// eth_sendTransaction works only for accounts of the dev chain.
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendTransaction","params":[{"to":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"unknown account"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"contract creation without any data provided"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendTransaction","params":[]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing value for required argument 0"}}

// eth_fillTransaction adds the missing members of a transaction, and does not change the others.
>> {"jsonrpc":"2.0","id":1,"method":"eth_fillTransaction","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x00000000000000000000000000000000000000aa","nonce":"0x7","gas":"0x10000","gasPrice":"0x3b9aca00"}]}
<< {"jsonrpc":"2.0","id":1,"result":{"raw":"0xe407843b9aca00830100009400000000000000000000000000000000000000aa8080808080","tx":{"type":"0x0","nonce":"0x7","to":"0x00000000000000000000000000000000000000aa","gas":"0x10000","gasPrice":"0x3b9aca00","maxPriorityFeePerGas":null,"maxFeePerGas":null,"value":"0x0","input":"0x","v":"0x0","r":"0x0","s":"0x0","hash":"0x80db55fd6d504b5291a4160eae8a24acf9959942a91b7b4b4b496f5e6a6265d6"}}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_fillTransaction","params":[{}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"contract creation without any data provided"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_fillTransaction","params":[{"to":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","maxFeePerGas":"0x1","maxPriorityFeePerGas":"0x2"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"maxFeePerGas (1) < maxPriorityFeePerGas (2)"}}

// The debug_getRaw methods work only for complete blocks.
>> {"jsonrpc":"2.0","id":1,"method":"debug_getRawBlock","params":["pending"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"the block is not complete"}}
>> {"jsonrpc":"2.0","id":1,"method":"debug_getRawHeader","params":["0x7fffffff"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"block not found: 0x7fffffff"}}
>> {"jsonrpc":"2.0","id":1,"method":"debug_getRawReceipts","params":["earliest"]}
<< {"jsonrpc":"2.0","id":1,"result":[]}
>> {"jsonrpc":"2.0","id":1,"method":"debug_getRawTransaction","params":["0x00000000000000000000000000000000000000000000000000000000000000aa"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x"}
