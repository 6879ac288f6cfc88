// eth_createAccessList (EIP-2930): which accounts and slots a call accesses apart from those that are always warm, its
// gas with that list, and its error.

// The list of a plain transfer is empty. GLD.transfer(pool, 1) accesses two slots of the called contract, also at
// `pending`.
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","value":"0x1"}]}
<< {"jsonrpc":"2.0","id":1,"result":{"accessList":[],"gasUsed":"0x5208"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x7000000000000000000000000000000000000001","data":"0xa9059cbb00000000000000000000000070000000000000000000000000000000000000100000000000000000000000000000000000000000000000000000000000000001"}]}
<< {"jsonrpc":"2.0","id":1,"result":{"accessList":[{"address":"0x7000000000000000000000000000000000000001","storageKeys":["0x2fa7cc07b4c31da707cdc2777d3cbffb1e5e321a8bb219911addd017a56a7e0f","0x723077b8a1b173adc35e5f0e7e3662fd1208212cb629f9c128551ea7168da722"]}],"gasUsed":"0x8d2c"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x7000000000000000000000000000000000000001","data":"0xa9059cbb00000000000000000000000070000000000000000000000000000000000000100000000000000000000000000000000000000000000000000000000000000001"},"pending"]}
<< {"jsonrpc":"2.0","id":1,"result":{"accessList":[{"address":"0x7000000000000000000000000000000000000001","storageKeys":["0x2fa7cc07b4c31da707cdc2777d3cbffb1e5e321a8bb219911addd017a56a7e0f","0x723077b8a1b173adc35e5f0e7e3662fd1208212cb629f9c128551ea7168da722"]}],"gasUsed":"0x8d2c"}}

// Accounts that BALANCE and CALL access, and slots. The sender, the recipient and precompiles are not listed as
// accounts.
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x3331503031506002315060dd31505f5f5f5f5f60bb5af150600754600860095500"}}]}
<< {"jsonrpc":"2.0","id":1,"result":{"accessList":[{"address":"0x00000000000000000000000000000000000000aa","storageKeys":["0x0000000000000000000000000000000000000000000000000000000000000007","0x0000000000000000000000000000000000000000000000000000000000000009"]},{"address":"0x00000000000000000000000000000000000000bb","storageKeys":[]},{"address":"0x00000000000000000000000000000000000000dd","storageKeys":[]}],"gasUsed":"0xcda4"}}

// What a callee has read is listed, even if the callee reverts.
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[{"to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x5f5f5f5f5f60bb5af100"},"0x00000000000000000000000000000000000000bb":{"code":"0x6005545f5ffd"}}]}
<< {"jsonrpc":"2.0","id":1,"result":{"accessList":[{"address":"0x00000000000000000000000000000000000000bb","storageKeys":["0x0000000000000000000000000000000000000000000000000000000000000005"]}],"gasUsed":"0x63b2"}}

// A callee runs out of gas after its first reads. With these in the access list they cost less, so it reads more slots,
// and the list grows.
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[{"to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x5f5f5f5f5f60bb610bb8f100"},"0x00000000000000000000000000000000000000bb":{"code":"0x600554600654600754"}}]}
<< {"jsonrpc":"2.0","id":1,"result":{"accessList":[{"address":"0x00000000000000000000000000000000000000bb","storageKeys":["0x0000000000000000000000000000000000000000000000000000000000000005","0x0000000000000000000000000000000000000000000000000000000000000006","0x0000000000000000000000000000000000000000000000000000000000000007"]}],"gasUsed":"0x7355"}}

// Entries of the request's access list stay in the result, except for addresses that are always warm: sender, recipient
// and precompiles. Of these, only the slots that the call accesses are listed.
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x00000000000000000000000000000000000000aa","accessList":[{"address":"0x00000000000000000000000000000000000000cc","storageKeys":["0x0000000000000000000000000000000000000000000000000000000000000001"]},{"address":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","storageKeys":[]},{"address":"0x00000000000000000000000000000000000000aa","storageKeys":["0x0000000000000000000000000000000000000000000000000000000000000002"]},{"address":"0x0000000000000000000000000000000000000004","storageKeys":["0x0000000000000000000000000000000000000000000000000000000000000001"]}]},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x60035400"}}]}
<< {"jsonrpc":"2.0","id":1,"result":{"accessList":[{"address":"0x00000000000000000000000000000000000000aa","storageKeys":["0x0000000000000000000000000000000000000000000000000000000000000003"]},{"address":"0x00000000000000000000000000000000000000cc","storageKeys":["0x0000000000000000000000000000000000000000000000000000000000000001"]}],"gasUsed":"0x7407"}}

// An access that fails for lack of gas is listed, too, because it may succeed with the list. Here a proxy that gets
// 2300 gas reads the address of its implementation: this works only with the list.
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"balance":"0x1","code":"0x5f5f5f5f600160bb5ff16010575f5ffd5b00"},"0x00000000000000000000000000000000000000bb":{"code":"0x5f5f5f5f5f545af4600e575f5ffd5b00","stateDiff":{"0x0000000000000000000000000000000000000000000000000000000000000000":"0x00000000000000000000000000000000000000000000000000000000000000cc"}}}]}
<< {"jsonrpc":"2.0","id":1,"result":{"accessList":[{"address":"0x00000000000000000000000000000000000000bb","storageKeys":["0x0000000000000000000000000000000000000000000000000000000000000000"]},{"address":"0x00000000000000000000000000000000000000cc","storageKeys":[]}],"gasUsed":"0x87c4"}}

// The same for instructions that access an account or a slot, in a callee that gets 30 gas: SLOAD, BALANCE,
// EXTCODESIZE, STATICCALL, and DELEGATECALL with two stack items too few.
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x5f5f5f5f5f60bb601ef100"},"0x00000000000000000000000000000000000000bb":{"code":"0x600754"}}]}
<< {"jsonrpc":"2.0","id":1,"result":{"accessList":[{"address":"0x00000000000000000000000000000000000000bb","storageKeys":["0x0000000000000000000000000000000000000000000000000000000000000007"]}],"gasUsed":"0x6366"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x5f5f5f5f5f60bb601ef100"},"0x00000000000000000000000000000000000000bb":{"code":"0x60cc31"}}]}
<< {"jsonrpc":"2.0","id":1,"result":{"accessList":[{"address":"0x00000000000000000000000000000000000000bb","storageKeys":[]},{"address":"0x00000000000000000000000000000000000000cc","storageKeys":[]}],"gasUsed":"0x655a"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x5f5f5f5f5f60bb601ef100"},"0x00000000000000000000000000000000000000bb":{"code":"0x60cc3b"}}]}
<< {"jsonrpc":"2.0","id":1,"result":{"accessList":[{"address":"0x00000000000000000000000000000000000000bb","storageKeys":[]},{"address":"0x00000000000000000000000000000000000000cc","storageKeys":[]}],"gasUsed":"0x655a"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x5f5f5f5f5f60bb601ef100"},"0x00000000000000000000000000000000000000bb":{"code":"0x5f5f5f5f60cc5afa"}}]}
<< {"jsonrpc":"2.0","id":1,"result":{"accessList":[{"address":"0x00000000000000000000000000000000000000bb","storageKeys":[]},{"address":"0x00000000000000000000000000000000000000cc","storageKeys":[]}],"gasUsed":"0x655a"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x5f5f5f5f5f60bb601ef100"},"0x00000000000000000000000000000000000000bb":{"code":"0x5f5f5f60cc5ff4"}}]}
<< {"jsonrpc":"2.0","id":1,"result":{"accessList":[{"address":"0x00000000000000000000000000000000000000bb","storageKeys":[]},{"address":"0x00000000000000000000000000000000000000cc","storageKeys":[]}],"gasUsed":"0x655a"}}

// If the request has one of the fees, the others are filled in, so that GASPRICE is not 0: the code reads slot 0. A
// request without fees is free, so that its sender needs no funds: the code reads slot 1. Fees of 0 are refused.
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x00000000000000000000000000000000000000aa","maxFeePerGas":"0x77359400"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x3a15545000"}}]}
<< {"jsonrpc":"2.0","id":1,"result":{"accessList":[{"address":"0x00000000000000000000000000000000000000aa","storageKeys":["0x0000000000000000000000000000000000000000000000000000000000000000"]}],"gasUsed":"0x633f"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x3a15545000"}}]}
<< {"jsonrpc":"2.0","id":1,"result":{"accessList":[{"address":"0x00000000000000000000000000000000000000aa","storageKeys":["0x0000000000000000000000000000000000000000000000000000000000000001"]}],"gasUsed":"0x633f"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[{"from":"0x00000000000000000000000000000000000000cc","to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x3a15545000"}}]}
<< {"jsonrpc":"2.0","id":1,"result":{"accessList":[{"address":"0x00000000000000000000000000000000000000aa","storageKeys":["0x0000000000000000000000000000000000000000000000000000000000000001"]}],"gasUsed":"0x633f"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x00000000000000000000000000000000000000aa","gasPrice":"0x0"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"gasPrice must be non-zero after london fork"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x00000000000000000000000000000000000000aa","maxFeePerGas":"0x0","maxPriorityFeePerGas":"0x0"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"maxFeePerGas must be non-zero"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x00000000000000000000000000000000000000aa","maxFeePerGas":"0x1","maxPriorityFeePerGas":"0x2"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"maxFeePerGas (0x1) < maxPriorityFeePerGas (0x2)"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x00000000000000000000000000000000000000aa","maxFeePerBlobGas":"0x0"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"maxFeePerBlobGas, if specified, must be non-zero"}}

// Contract creation: the new contract is listed only if its slots are accessed.
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","data":"0x600160005560dd31505f5ff3"}]}
<< {"jsonrpc":"2.0","id":1,"result":{"accessList":[{"address":"0x00000000000000000000000000000000000000dd","storageKeys":[]},{"address":"0x5fbdb2315678afecb367f032d93f642f64180aa3","storageKeys":["0x0000000000000000000000000000000000000000000000000000000000000000"]}],"gasUsed":"0x1387d"}}

// A failed execution is part of the result: a revert, and a halt (invalid opcode).
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[{"to":"0x00000000000000000000000000000000000000aa"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x60055460005ffd"}}]}
<< {"jsonrpc":"2.0","id":1,"result":{"accessList":[{"address":"0x00000000000000000000000000000000000000aa","storageKeys":["0x0000000000000000000000000000000000000000000000000000000000000005"]}],"error":"execution reverted","gasUsed":"0x6340"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[{"to":"0x00000000000000000000000000000000000000aa","gas":"0x186a0"},"latest",{"0x00000000000000000000000000000000000000aa":{"code":"0x600554fe"}}]}
<< {"jsonrpc":"2.0","id":1,"result":{"accessList":[{"address":"0x00000000000000000000000000000000000000aa","storageKeys":["0x0000000000000000000000000000000000000000000000000000000000000005"]}],"error":"invalid opcode: INVALID","gasUsed":"0x186a0"}}

// A call that cannot be executed is an error, whose message contains the hash of the corresponding transaction.
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[{"from":"0x00000000000000000000000000000000000000ee","to":"0x00000000000000000000000000000000000000aa","value":"0x1","gasPrice":"0xba43b7400"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"failed to apply transaction: 0x280e8a17b644fb12970db560fdd90d70a85dffa2e10ab0c6676d14b6e8a09ab5 err: insufficient funds for gas * price + value: address 0x00000000000000000000000000000000000000eE have 0 want 2500000000000000001"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[{"to":"0x00000000000000000000000000000000000000aa","gas":"0x5207"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"failed to apply transaction: 0x4b26c7a0528aadeaba29af480bc8129eb7e39aacf840e89d827bced6bf25675c err: intrinsic gas too low: have 20999, want 21000"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing value for required argument 0"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_createAccessList","params":[{},"0x100000"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"block not found: 0x100000"}}
