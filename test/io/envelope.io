// The JSON-RPC 2.0 envelope of requests and responses (RPC contract, section 3).

// A response has the members jsonrpc, id and result, in this order.
>> {"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":"0x7a69"}

// `params` may be missing or null.
>> {"jsonrpc":"2.0","id":1,"method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":1,"result":"0x7a69"}
>> {"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":null}
<< {"jsonrpc":"2.0","id":1,"result":"0x7a69"}

// White space and the order of members do not matter. Unknown members are ignored.
>>  {"params" : [ ] , "id" : 1 , "extra" : {"a":[1,2]} , "method" : "eth_chainId" , "jsonrpc" : "2.0"}
<< {"jsonrpc":"2.0","id":1,"result":"0x7a69"}

// The id is returned byte for byte: all digits of a large number, and the trailing zero of a fraction.
>> {"jsonrpc":"2.0","id":12345678901234567890,"method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":12345678901234567890,"result":"0x7a69"}
>> {"jsonrpc":"2.0","id":1.50,"method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":1.50,"result":"0x7a69"}
>> {"jsonrpc":"2.0","id":-0,"method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":-0,"result":"0x7a69"}
>> {"jsonrpc":"2.0","id":1e3,"method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":1e3,"result":"0x7a69"}
>> {"jsonrpc":"2.0","id":0,"method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":0,"result":"0x7a69"}

// An id that is a string is returned with its escapes unchanged.
>> {"jsonrpc":"2.0","id":"","method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":"","result":"0x7a69"}
>> {"jsonrpc":"2.0","id":"1","method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":"1","result":"0x7a69"}
>> {"jsonrpc":"2.0","id":"a\"b\\c\u00e9","method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":"a\"b\\c\u00e9","result":"0x7a69"}
>> {"jsonrpc":"2.0","id":"grün ✓","method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":"grün ✓","result":"0x7a69"}
>> {"jsonrpc":"2.0","id":"4dff4ea3-40c5-4d1c-b5a3-9cc9c2a8a9f4","method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":"4dff4ea3-40c5-4d1c-b5a3-9cc9c2a8a9f4","result":"0x7a69"}

// A request with the id null gets a response: it is not a notification.
>> {"jsonrpc":"2.0","id":null,"method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":null,"result":"0x7a69"}

// A response with an error has no result.
>> {"jsonrpc":"2.0","id":7,"method":"eth_nothing"}
<< {"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"the method eth_nothing does not exist/is not available"}}

// A request without an id is a notification. It is executed and gets no response body (HTTP 204).
>> {"jsonrpc":"2.0","method":"eth_chainId"}
!! 204

// The same for a notification that fails, whose method is unknown, or that runs on a worker thread.
>> {"jsonrpc":"2.0","method":"eth_getBalance","params":[]}
!! 204
>> {"jsonrpc":"2.0","method":"eth_nothing"}
!! 204
>> {"jsonrpc":"2.0","method":"eth_estimateGas","params":[{"to":"0x0000000000000000000000000000000000000001"}]}
!! 204
>> {"jsonrpc":"2.0","method":"eth_getTransactionCount","params":["0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"]}
!! 204

// `jsonrpc` must be the string "2.0".
>> {"id":1,"method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"invalid request"}}
>> {"jsonrpc":"1.0","id":1,"method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"invalid request"}}
>> {"jsonrpc":2.0,"id":1,"method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"invalid request"}}
>> {"jsonrpc":null,"id":"x","method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":"x","error":{"code":-32600,"message":"invalid request"}}

// `method` must be a string.
>> {"jsonrpc":"2.0","id":1}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"invalid request"}}
>> {"jsonrpc":"2.0","id":1,"method":1}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"invalid request"}}
>> {"jsonrpc":"2.0","id":1,"method":null}
<< {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"invalid request"}}

// If the id is not a number, a string or null, the response has the id null.
>> {"jsonrpc":"2.0","id":{},"method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}}
>> {"jsonrpc":"2.0","id":[1],"method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}}
>> {"jsonrpc":"2.0","id":true,"method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}}

// Valid JSON that is not a request.
>> {}
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}}
>> 1
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}}
>> "eth_chainId"
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}}
>> null
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}}
>> true
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request"}}

// Invalid JSON.
>>
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}
>> {
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}
>> [
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_chainId",}
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}
>> {"jsonrpc":"2.0","id":1,"method":"eth_chainId"} {}
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}
>> {'jsonrpc':'2.0'}
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}
>> {"jsonrpc":"2.0","id":01,"method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}
>> nil
<< {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}
