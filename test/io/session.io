$$ --dev-traffic 0
// websocket: a client of the dev chain over one connection. The chain is the same as for logs.io, which runs before and
// expects no transactions.

// New filters and a new subscription. Their ids are random.
>> {"jsonrpc":"2.0","id":1,"method":"eth_newPendingTransactionFilter"}
<~ {"jsonrpc":"2.0","id":1,"result":"0xda7ef5d9112da5dcda4994c35c9a154c"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_newFilter","params":[{"address":"0x7000000000000000000000000000000000000001","toBlock":"pending"}]}
<~ {"jsonrpc":"2.0","id":1,"result":"0x6e0d9e5df50cf874fe6db841ec4106e9"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newPendingTransactions"]}
<~ {"jsonrpc":"2.0","id":1,"result":"0x4747cf8067a6c5ede330672cf329f49e"}

// A transfer. Its block number and gas price depend on the block in which it is included.
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransactionSync","params":["0x02f86d827a6980843b9aca00850ba43b74008252089400000000000000000000000000000000000000aa0580c080a0266426a7e2b5fd3934e8d7c5815b69549bc488e3260b911ed269ad84a1c61a6aa03249d611bbce97fd2d3831986af2f4133c3001af16b099da0b1a3d92fe4ed9c9"]}
<~ {"jsonrpc":"2.0","id":1,"result":{"blockHash":"0x0000000000000000000000000000000000000000000000000000000000000000","blockNumber":"0x1","transactionHash":"0x79741416a1c8887846f3d38430402ac8f182208e3fcd3684a810086bc2233a42","transactionIndex":"0x0","type":"0x2","status":"0x1","from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","to":"0x00000000000000000000000000000000000000aa","contractAddress":null,"gasUsed":"0x5208","cumulativeGasUsed":"0x5208","effectiveGasPrice":"0x6fc23ac0","logsBloom":"0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000","logs":[]}}
<- {"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"0x4747cf8067a6c5ede330672cf329f49e","result":"0x79741416a1c8887846f3d38430402ac8f182208e3fcd3684a810086bc2233a42"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getFilterChanges","params":["0xda7ef5d9112da5dcda4994c35c9a154c"]}
<< {"jsonrpc":"2.0","id":1,"result":["0x79741416a1c8887846f3d38430402ac8f182208e3fcd3684a810086bc2233a42"]}

// A token transfer, and a transaction that the dev chain signs. The response is sent when the transaction is
// pre-confirmed.
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["0x02f8b3827a6901843b9aca00850ba43b7400830186a094700000000000000000000000000000000000000180b844a9059cbb00000000000000000000000000000000000000000000000000000000000000aa0000000000000000000000000000000000000000000000000000000000000007c080a0c807739ff197afc069db2e0964c5889310195edd6931f7601547ba676b249262a0166ad7e668fc57d68ef13e5afe86c1f6ba9738ba095fbf52723e42115ff33ba9"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x4980bf67ed5c428dbd83cd68b039ec329a0b552eb4be4d7a023d98102fb3a6d9"}
<- {"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"0x4747cf8067a6c5ede330672cf329f49e","result":"0x4980bf67ed5c428dbd83cd68b039ec329a0b552eb4be4d7a023d98102fb3a6d9"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_sendTransaction","params":[{"from":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","to":"0x00000000000000000000000000000000000000aa","nonce":"0x0","gas":"0x5208","gasPrice":"0x3b9aca00","value":"0x1"}]}
<< {"jsonrpc":"2.0","id":1,"result":"0x75e18e65d44c86d41bb0a5f6034a04349407aed9cd0b066df3473303f181a618"}
<- {"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"0x4747cf8067a6c5ede330672cf329f49e","result":"0x75e18e65d44c86d41bb0a5f6034a04349407aed9cd0b066df3473303f181a618"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getFilterChanges","params":["0xda7ef5d9112da5dcda4994c35c9a154c"]}
<< {"jsonrpc":"2.0","id":1,"result":["0x4980bf67ed5c428dbd83cd68b039ec329a0b552eb4be4d7a023d98102fb3a6d9","0x75e18e65d44c86d41bb0a5f6034a04349407aed9cd0b066df3473303f181a618"]}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getFilterLogs","params":["0x6e0d9e5df50cf874fe6db841ec4106e9"]}
<~ {"jsonrpc":"2.0","id":1,"result":[{"blockHash":"0x0000000000000000000000000000000000000000000000000000000000000000","blockNumber":"0x1","transactionHash":"0x4980bf67ed5c428dbd83cd68b039ec329a0b552eb4be4d7a023d98102fb3a6d9","transactionIndex":"0x1","blockTimestamp":"0x6b0aa7c6","address":"0x7000000000000000000000000000000000000001","topics":["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef","0x000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb92266","0x00000000000000000000000000000000000000000000000000000000000000aa"],"data":"0x0000000000000000000000000000000000000000000000000000000000000007","logIndex":"0x0","removed":false}]}
>> {"jsonrpc":"2.0","id":1,"method":"debug_traceTransaction","params":["0x4980bf67ed5c428dbd83cd68b039ec329a0b552eb4be4d7a023d98102fb3a6d9",{"tracer":"callTracer"}]}
<< {"jsonrpc":"2.0","id":1,"result":{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266","gas":"0x186a0","gasUsed":"0xc754","to":"0x7000000000000000000000000000000000000001","input":"0xa9059cbb00000000000000000000000000000000000000000000000000000000000000aa0000000000000000000000000000000000000000000000000000000000000007","output":"0x0000000000000000000000000000000000000000000000000000000000000001","value":"0x0","type":"CALL"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0x70997970c51812dc3a010c7d01b50e0d17dc79c8","pending"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x1"}

// The subscription and the filter are removed.
>> {"jsonrpc":"2.0","id":1,"method":"eth_unsubscribe","params":["0x4747cf8067a6c5ede330672cf329f49e"]}
<< {"jsonrpc":"2.0","id":1,"result":true}
>> {"jsonrpc":"2.0","id":1,"method":"eth_unsubscribe","params":["0x4747cf8067a6c5ede330672cf329f49e"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"subscription not found"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_uninstallFilter","params":["0xda7ef5d9112da5dcda4994c35c9a154c"]}
<< {"jsonrpc":"2.0","id":1,"result":true}

// evm_revert to a snapshot after which nothing was sent.
>> {"jsonrpc":"2.0","id":1,"method":"evm_snapshot"}
<< {"jsonrpc":"2.0","id":1,"result":"0x1"}
>> {"jsonrpc":"2.0","id":1,"method":"evm_revert","params":["0x1"]}
<< {"jsonrpc":"2.0","id":1,"result":true}
