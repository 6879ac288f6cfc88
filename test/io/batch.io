// Batches: answered in order, each call by itself.
$$ --batch-max 4

>> [{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":"two","method":"net_version"}]
<< [{"jsonrpc":"2.0","id":1,"result":"0x7a69"},{"jsonrpc":"2.0","id":"two","result":"31337"}]

// One call in an array is a batch of one.
>> [{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}]
<< [{"jsonrpc":"2.0","id":1,"result":"0x7a69"}]

// Equal ids are nobody's business.
>> [{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}]
<< [{"jsonrpc":"2.0","id":1,"result":"0x7a69"},{"jsonrpc":"2.0","id":1,"result":"0x7a69"}]

// Failures stay with their call; what is no request gets an answer with id null.
>> [{"jsonrpc":"2.0","id":1,"method":"eth_nothing"},{"foo":"bar"},17,{"jsonrpc":"2.0","id":2,"method":"eth_chainId"}]
<< [{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"the method eth_nothing does not exist/is not available"}},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}},{"jsonrpc":"2.0","id":2,"result":"0x7a69"}]
>> [{"jsonrpc":"1.0","id":"old","method":"eth_chainId"},{"jsonrpc":"2.0","id":2,"method":"eth_getCode","params":["0x1"]}]
<< [{"jsonrpc":"2.0","id":"old","error":{"code":-32600,"message":"invalid request"}},{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal hex string of odd length into Go value of type common.Address"}}]
>> [1]
<< [{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}}]
>> [null,[]]
<< [{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}}]

// Notifications leave no trace in the answer.
>> [{"jsonrpc":"2.0","method":"eth_chainId"},{"jsonrpc":"2.0","id":2,"method":"eth_chainId"},{"jsonrpc":"2.0","method":"eth_nothing"}]
<< [{"jsonrpc":"2.0","id":2,"result":"0x7a69"}]
>> [{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","method":"eth_chainId"}]
<< [{"jsonrpc":"2.0","id":1,"result":"0x7a69"}]
>> [{"jsonrpc":"2.0","method":"eth_estimateGas","params":[{}]},{"jsonrpc":"2.0","id":2,"method":"eth_chainId"}]
<< [{"jsonrpc":"2.0","id":2,"result":"0x7a69"}]

// A batch of nothing but notifications is answered with nothing.
>> [{"jsonrpc":"2.0","method":"eth_chainId"},{"jsonrpc":"2.0","method":"eth_estimateGas","params":[{}]}]
!! 204

// Estimates stand where they were asked, though they take longer.
>> [{"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x00000000000000000000000000000000000000aa"}]},{"jsonrpc":"2.0","id":2,"method":"eth_chainId"},{"jsonrpc":"2.0","id":3,"method":"eth_estimateGas","params":[{}]}]
<< [{"jsonrpc":"2.0","id":1,"result":"0x5208"},{"jsonrpc":"2.0","id":2,"result":"0x7a69"},{"jsonrpc":"2.0","id":3,"result":"0xcf08"}]
>> [{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":2,"method":"eth_call","params":[{"data":"0x602a60005260206000f3"}]}]
<< [{"jsonrpc":"2.0","id":1,"result":"0x7a69"},{"jsonrpc":"2.0","id":2,"result":"0x000000000000000000000000000000000000000000000000000000000000002a"}]

// An empty batch is one error, no array.
>> []
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"empty batch"}}
>>  [ ]
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"empty batch"}}

// One call more than the limit: every id gets the error, nothing is run.
>> [{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":"b","method":"eth_chainId"},{"jsonrpc":"2.0","method":"eth_chainId"},{"jsonrpc":"2.0","id":null,"method":"eth_chainId"},17]
<< [{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"batch too large"}},{"jsonrpc":"2.0","id":"b","error":{"code":-32600,"message":"batch too large"}},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batch too large"}},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batch too large"}}]

// As many as the limit are run.
>> [{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":2,"method":"eth_chainId"},{"jsonrpc":"2.0","id":3,"method":"eth_chainId"},{"jsonrpc":"2.0","id":4,"method":"eth_chainId"}]
<< [{"jsonrpc":"2.0","id":1,"result":"0x7a69"},{"jsonrpc":"2.0","id":2,"result":"0x7a69"},{"jsonrpc":"2.0","id":3,"result":"0x7a69"},{"jsonrpc":"2.0","id":4,"result":"0x7a69"}]

// A broken element breaks the whole body.
>> [{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":2,"method":"eth_chainId"]
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}
