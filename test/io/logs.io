$$ --dev-traffic 0
// eth_getLogs with invalid block ranges and filters.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs"}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing value for required argument 0"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0xffffff","toBlock":"0xffffff"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"block range extends beyond current head block"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0xffffff","toBlock":"earliest"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid block range params"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"blockHash":"0x1111111111111111111111111111111111111111111111111111111111111111"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"unknown block"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"blockHash":"0x1111111111111111111111111111111111111111111111111111111111111111","fromBlock":"0x0"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"address":"0x12"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: invalid address: hex has invalid length 1 after decoding; expected 20 for address"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"topics":[null,null,null,null,null]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: exceed max topics"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"topics":"0x12"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal string into Go struct field input.topics of type []interface {}"}}

// If there are no logs, the result is an empty list, for all tags.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"earliest","toBlock":"pending"}]}
<< {"jsonrpc":"2.0","id":1,"result":[]}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"safe","toBlock":"latest","topics":[[null,"0x1111111111111111111111111111111111111111111111111111111111111111"]]}]}
<< {"jsonrpc":"2.0","id":1,"result":[]}

// Filters: an unknown or invalid id.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getFilterChanges","params":["0x12"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"filter not found"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getFilterLogs","params":["0x12"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"filter not found"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_uninstallFilter","params":["0x12"]}
<< {"jsonrpc":"2.0","id":1,"result":false}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getFilterChanges","params":[18]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal number into Go value of type string"}}

// Subscriptions require a connection that can receive notifications; over HTTP they are refused.
>> {"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"notifications not supported"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["watch",{"calls":[{"method":"eth_getBalance","params":["0x0000000000000000000000000000000000000001","pending"]}]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"notifications not supported"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_unsubscribe","params":["0x12"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"notifications not supported"}}

// Receipts, access lists, transaction counts and transactions of blocks that are empty or do not exist.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockReceipts","params":["0xffffff"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockReceipts","params":["earliest"]}
<< {"jsonrpc":"2.0","id":1,"result":[]}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockReceipts","params":[]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing value for required argument 0"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockAccessList","params":["0xffffff"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockAccessList","params":["pending"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockAccessList","params":["0x1111111111111111111111111111111111111111111111111111111111111111"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockAccessList","params":["earliest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"Resource not found"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockAccessList","params":[]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing value for required argument 0"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockTransactionCountByNumber","params":["pending"]}
<< {"jsonrpc":"2.0","id":1,"result":"0x0"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockTransactionCountByHash","params":["0x1111111111111111111111111111111111111111111111111111111111111111"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionByBlockNumberAndIndex","params":["earliest","0x0"]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionByBlockNumberAndIndex","params":["earliest"]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"missing value for required argument 1"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getTransactionReceipt","params":["0x1111111111111111111111111111111111111111111111111111111111111111"]}
<< {"jsonrpc":"2.0","id":1,"result":null}

// Member names are not case-sensitive. Unknown members are refused, and so are hashes as block numbers, and invalid
// addresses and topics.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"blockhash":"0x1111111111111111111111111111111111111111111111111111111111111111"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"unknown block"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromblock":"0xffffff","TOBLOCK":"0xffffff"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"block range extends beyond current head block"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"from":"0x1"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: unknown field \"from\""}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x0","limit":10}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: unknown field \"limit\""}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x1111111111111111111111111111111111111111111111111111111111111111"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex number > 64 bits"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x0","toBlock":"0x1111111111111111111111111111111111111111111111111111111111111111"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex number > 64 bits"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":{"blockHash":"0x1111111111111111111111111111111111111111111111111111111111111111"}}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex string without 0x prefix"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":1}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex string without 0x prefix"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"toBlock":"0x0","fromBlock":"0x1"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid block range params"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"address":["0x12"]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: invalid address at index 0: hex has invalid length 1 after decoding; expected 20 for address"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"address":[1]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: non-string address at index 0"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"address":1}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: invalid addresses in query"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"address":""}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: invalid address: empty hex string"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"topics":["0x1"]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex string of odd length"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"topics":["0x12"]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: hex has invalid length 1 after decoding; expected 32 for topic"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"topics":[1]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: invalid topic(s)"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"topics":[[["0x1111111111111111111111111111111111111111111111111111111111111111"]]]}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: invalid topic(s)"}}

// A filter is refused if its block range cannot contain new logs.
>> {"jsonrpc":"2.0","id":1,"method":"eth_newFilter","params":[{"fromBlock":"0x5","toBlock":"0x1"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid block range params"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_newFilter","params":[{"toBlock":"0x1"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid block range params"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_newFilter","params":[{"fromBlock":"latest","toBlock":"0xffffff"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid block range params"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_newFilter","params":[{"fromBlock":"safe"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid block range params"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_newFilter","params":[{"fromBlock":"earliest","toBlock":"finalized"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid block range params"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_newFilter","params":[{"fromBlock":"pending"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid block range params"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_newFilter","params":[{"from":"latest"}]}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid argument 0: json: unknown field \"from\""}}
