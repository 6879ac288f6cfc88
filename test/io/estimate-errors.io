// eth_estimateGas that fails: error codes, and go-ethereum's messages, by which clients recognize errors.

// REVERT without data, with two bytes, and with a custom error: GLD.transfer of more than the sender has.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x5f5ffd"}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"execution reverted","data":"0x"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x60aa5f5260025ffd"}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"execution reverted","data":"0x0000"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"from":"0x00000000000000000000000000000000000000bb","to":"0x7000000000000000000000000000000000000001","data":"0xa9059cbb00000000000000000000000070000000000000000000000000000000000000100000000000000000000000000000000000000000000000000000000000000001"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"execution reverted","data":"0xe450d38c00000000000000000000000000000000000000000000000000000000000000bb00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x5f5ffd"}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"execution reverted","data":"0x"}}

// Out of gas: with the request's gas limit, with the transaction gas cap (EIP-7825), with an intrinsic cost above the
// limit, and with an overridden block gas limit.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x00000000000000000000000000000000000000aa","gas":"0xc350"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x5b5f56"}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"gas required exceeds allowance (50000)"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x5f5b600101808055600156"}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"gas required exceeds allowance (16777216)"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"gas":"0x5208"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"gas required exceeds allowance (21000)"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{},"latest",{},{"gasLimit":"0xc350"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"gas required exceeds allowance (50000)"}}

// EIP-7623: the floor cost of the call data is above the gas limit.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x00000000000000000000000000000000000000aa","gas":"0x55f0","data":"0x0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"failed with 22000 gas: insufficient gas for floor data gas cost: have 22000, want 23150"}}

// Halts of the EVM: invalid opcodes, an invalid jump, stack underflow and stack overflow.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0xfe"}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"invalid opcode: INVALID"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x0c"}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"invalid opcode: opcode 0xc not defined"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x5f56"}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"invalid jump destination"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x01"}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"stack underflow (0 <=> 2)"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x5b5f5f56"}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"stack limit reached 1024 (1023)"}}

// Insufficient funds for the value: without a fee this is found by the execution, with a fee before the execution.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"from":"0x00000000000000000000000000000000000000bb","to":"0x00000000000000000000000000000000000000aa","value":"0x1"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"failed with 16777216 gas: insufficient funds for gas * price + value: address 0x00000000000000000000000000000000000000bb have 0 want 1"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"from":"0x00000000000000000000000000000000000000bb","to":"0x00000000000000000000000000000000000000aa","value":"0x1","gasPrice":"0x77359400"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"insufficient funds for transfer"}}

// The sender's balance limits the gas: 2^44 wei pay for 351 gas at 50 gwei.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"from":"0x00000000000000000000000000000000000000bb","to":"0x7000000000000000000000000000000000000001","gasPrice":"0xba43b7400"},"latest",{"0x00000000000000000000000000000000000000bb":{"balance":"0x100000000000"}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"gas required exceeds allowance (351)"}}

// The maximum fee is below the block's base fee (1 gwei in the genesis), the priority fee is above the maximum fee, or
// the blob fee is too low.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x00000000000000000000000000000000000000aa","maxFeePerGas":"0x1"},"earliest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"failed with 16777216 gas: max fee per gas less than block base fee: address 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266, maxFeePerGas: 1, baseFee: 1000000000"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x00000000000000000000000000000000000000aa","maxFeePerGas":"0x77359400","maxPriorityFeePerGas":"0x77359401"},"earliest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"failed with 16777216 gas: max priority fee per gas higher than max fee per gas: address 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266, maxPriorityFeePerGas: 2000000001, maxFeePerGas: 2000000000"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x00000000000000000000000000000000000000aa","maxFeePerGas":"0x77359400","maxFeePerBlobGas":"0x1","blobVersionedHashes":["0x0100000000000000000000000000000000000000000000000000000000000000"]},"earliest",{},{"blobBaseFee":"0x2"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"failed with 16777216 gas: max fee per blob gas less than block blob gas fee: address 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266 blobGasFeeCap: 1, blobBaseFee: 2"}}

// EIP-7702: an empty authorization list, and an authorization list without a recipient.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x00000000000000000000000000000000000000aa","authorizationList":[]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"failed with 16777216 gas: EIP-7702 transaction with empty auth list (sender 0x0000000000000000000000000000000000000000)"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"authorizationList":[{"chainId":"0x0","address":"0x00000000000000000000000000000000000000bb","nonce":"0x0","yParity":"0x0","r":"0x1","s":"0x1"}]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"failed with 16777216 gas: EIP-7702 transaction cannot be used to create contract (sender 0x0000000000000000000000000000000000000000)"}}

// The chain id of another chain.
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x00000000000000000000000000000000000000aa","chainId":"0x1"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"chainId does not match node's (have=1, want=31337)"}}

// A pairing precompile charges its gas before it checks its input. 10 bytes are less than one pair, so only the base
// cost is charged.
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x0000000000000000000000000000000000000008","data":"0x00000000000000000000","gas":"0x7530"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"out of gas"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x0000000000000000000000000000000000000008","data":"0x00000000000000000000","gas":"0x7530"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"gas required exceeds allowance (30000)"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x0000000000000000000000000000000000000008","data":"0x00000000000000000000","gas":"0x30d40"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"invalid input length"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x0000000000000000000000000000000000000008","data":"0x00000000000000000000","gas":"0x30d40"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"invalid input length"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x000000000000000000000000000000000000000f","data":"0x00000000000000000000","gas":"0x7530"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"out of gas"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x000000000000000000000000000000000000000f","data":"0x00000000000000000000","gas":"0x7530"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"gas required exceeds allowance (30000)"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x000000000000000000000000000000000000000f","data":"0x00000000000000000000","gas":"0x30d40"},"latest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"invalid input length"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x000000000000000000000000000000000000000f","data":"0x00000000000000000000","gas":"0x30d40"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"invalid input length"}}
