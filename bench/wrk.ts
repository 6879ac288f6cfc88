// Loads a server with wrk (Debian: apt-get install wrk) and reads what it says.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One load: Lua expressions of the body, given the request's number `n`. */
export interface Load {
  readonly url: string;
  readonly bodies: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** Looks at every answer for an `error`; wrk alone counts only HTTP statuses. Costs wrk a third of its speed. */
  readonly checked: boolean;
  /** Number of the first request, 0 when not given: for loads that shall not repeat those of another one. */
  readonly first?: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers that were not HTTP 200 or held an `error`. */
  readonly failures: number;
}

export function hasWrk(): boolean {
  return spawnSync('wrk', ['--version']).error === undefined;
}

/** Posts the bodies in turn. `%d` in a body stands for a number that is another one in every request. */
export async function wrk({ url, bodies, connections, seconds, checked, first = 0 }: Load): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'prestate-bench-'));
  try {
    const file = join(folder, 'load.lua');
    writeFileSync(file, script(bodies, first) + (checked ? CHECK : ''));
    return read(
      await run(['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '60s', '--latency', '-s', file, url]),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function script(bodies: readonly string[], first: number): string {
  return `
local bodies = { ${bodies.map((body) => `[==[${body}]==]`).join(', ')} }
local varies = string.find(bodies[1], '%d', 1, true) ~= nil
local headers = { ['Content-Type'] = 'application/json' }
local ready = {}
local n = ${first}
init = function()
  for i, body in ipairs(bodies) do ready[i] = wrk.format('POST', '/', headers, body) end
end
request = function()
  n = n + 1
  local i = n % #bodies + 1
  if not varies then return ready[i] end
  return wrk.format('POST', '/', headers, (string.gsub(bodies[i], '%%d', string.format('%08x', n))))
end
failures = 0
local threads = {}
setup = function(thread) table.insert(threads, thread) end
done = function(summary, latency)
  local failed = 0
  for _, thread in ipairs(threads) do failed = failed + (thread:get('failures') or 0) end
  io.write(string.format('RESULT %d %d %d %d %d\\n', summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), failed + summary.errors.status))
end
`;
}

const CHECK = `
response = function(status, headers, body)
  if status == 200 and string.find(body, '"error"', 1, true) then failures = failures + 1 end
end
`;

function run(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('wrk', args);
    let text = '';
    child.stdout.on('data', (piece: Buffer) => (text += piece.toString()));
    child.once('error', reject);
    child.once('close', () => resolve(text));
  });
}

function read(text: string): LoadResult {
  const found = /RESULT (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(text);
  if (found === null) throw new Error(`wrk said: ${text}`);
  const [requests, durationUs, p50Us, p99Us, failures] = found.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return {
    requests,
    requestsPerSecond: requests / (durationUs / 1e6),
    p50Ms: p50Us / 1000,
    p99Ms: p99Us / 1000,
    failures,
  };
}
