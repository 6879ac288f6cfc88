// Records request bodies in a file of lines `{"t_ms": …, "body": "…"}`, which load tests replay.
import type { LineAppender } from '../../lib/line-appender.js';
import { contiguousBodyBytes, type RpcService } from '../../rpc/answer/request-response-types.js';

/** Wraps the service so that each body is recorded. `nowMs` returns milliseconds since 1970, with fractions. */
export function withRequestRecording(service: RpcService, file: LineAppender, nowMs: () => number): RpcService {
  return {
    answer(body, caller, least = null) {
      const bytes = contiguousBodyBytes(body);
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
      // The time is rounded to the microsecond.
      file.add({ t_ms: Math.round(nowMs() * 1000) / 1000, body: text });
      return service.answer(body, caller, least);
    },
  };
}
