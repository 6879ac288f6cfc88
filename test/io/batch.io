// Batches: the responses are in the order of the calls, and a failed call does not affect the others.
$$ --batch-max 4

>> [{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":"two","method":"net_version"}]
<< [{"jsonrpc":"2.0","id":1,"result":"0x7a69"},{"jsonrpc":"2.0","id":"two","result":"31337"}]

// An array with one call is a batch, so the response is an array, too.
>> [{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}]
<< [{"jsonrpc":"2.0","id":1,"result":"0x7a69"}]

// Several calls may have the same id.
>> [{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}]
<< [{"jsonrpc":"2.0","id":1,"result":"0x7a69"},{"jsonrpc":"2.0","id":1,"result":"0x7a69"}]

// An error concerns only its own call. An element that is not a request gets a response with id null.
>> [{"jsonrpc":"2.0","id":1,"method":"eth_nothing"},{"foo":"bar"},17,{"jsonrpc":"2.0","id":2,"method":"eth_chainId"}]
<< [{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"the method eth_nothing does not exist/is not available"}},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}},{"jsonrpc":"2.0","id":2,"result":"0x7a69"}]
>> [{"jsonrpc":"1.0","id":"old","method":"eth_chainId"},{"jsonrpc":"2.0","id":2,"method":"eth_getCode","params":["0x1"]}]
<< [{"jsonrpc":"2.0","id":"old","error":{"code":-32600,"message":"invalid request"}},{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"invalid argument 0: json: cannot unmarshal hex string of odd length into Go value of type common.Address"}}]
>> [1]
<< [{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}}]
>> [null,[]]
<< [{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}}]

// Notifications (calls without an id) get no response.
>> [{"jsonrpc":"2.0","method":"eth_chainId"},{"jsonrpc":"2.0","id":2,"method":"eth_chainId"},{"jsonrpc":"2.0","method":"eth_nothing"}]
<< [{"jsonrpc":"2.0","id":2,"result":"0x7a69"}]
>> [{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","method":"eth_chainId"}]
<< [{"jsonrpc":"2.0","id":1,"result":"0x7a69"}]
>> [{"jsonrpc":"2.0","method":"eth_estimateGas","params":[{}]},{"jsonrpc":"2.0","id":2,"method":"eth_chainId"}]
<< [{"jsonrpc":"2.0","id":2,"result":"0x7a69"}]

// A batch that contains only notifications gets no response body (HTTP 204).
>> [{"jsonrpc":"2.0","method":"eth_chainId"},{"jsonrpc":"2.0","method":"eth_estimateGas","params":[{}]}]
!! 204

// The response to an eth_estimateGas is at the position of its call, although it is ready later than others.
>> [{"jsonrpc":"2.0","id":1,"method":"eth_estimateGas","params":[{"to":"0x00000000000000000000000000000000000000aa"}]},{"jsonrpc":"2.0","id":2,"method":"eth_chainId"},{"jsonrpc":"2.0","id":3,"method":"eth_estimateGas","params":[{}]}]
<< [{"jsonrpc":"2.0","id":1,"result":"0x5208"},{"jsonrpc":"2.0","id":2,"result":"0x7a69"},{"jsonrpc":"2.0","id":3,"result":"0xcf08"}]
>> [{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":2,"method":"eth_call","params":[{"data":"0x602a60005260206000f3"}]}]
<< [{"jsonrpc":"2.0","id":1,"result":"0x7a69"},{"jsonrpc":"2.0","id":2,"result":"0x000000000000000000000000000000000000000000000000000000000000002a"}]

// The response to an empty batch is a single error, not an array.
>> []
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"empty batch"}}
>>  [ ]
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"empty batch"}}

// A batch with one call more than the limit: every call with an id gets an error, and none is executed.
>> [{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":"b","method":"eth_chainId"},{"jsonrpc":"2.0","method":"eth_chainId"},{"jsonrpc":"2.0","id":null,"method":"eth_chainId"},17]
<< [{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"batch too large"}},{"jsonrpc":"2.0","id":"b","error":{"code":-32600,"message":"batch too large"}},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batch too large"}},{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batch too large"}}]

// A batch with exactly as many calls as the limit is executed.
>> [{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":2,"method":"eth_chainId"},{"jsonrpc":"2.0","id":3,"method":"eth_chainId"},{"jsonrpc":"2.0","id":4,"method":"eth_chainId"}]
<< [{"jsonrpc":"2.0","id":1,"result":"0x7a69"},{"jsonrpc":"2.0","id":2,"result":"0x7a69"},{"jsonrpc":"2.0","id":3,"result":"0x7a69"},{"jsonrpc":"2.0","id":4,"result":"0x7a69"}]

// If an element is not valid JSON, the whole batch is not, and gets a single error.
>> [{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":2,"method":"eth_chainId"]
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}
