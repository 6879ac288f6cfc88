// Batches of JSON-RPC requests, and their responses without differences in wording.

/** One request. */
export interface Question {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** How an execution ended: `gas` ran out or was insufficient, `halt` for another reason, `refused`. */
export type Answer =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'revert'; readonly data: string }
  | { readonly kind: 'gas' | 'halt' | 'refused'; readonly text: string };

interface RawAnswer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: string };
}

const BATCH_CALLS = 50;

/** Sends the requests to `url` in batches of this size, two at a time; returns the responses in order. */
export async function queryAll(
  url: string,
  questions: readonly Question[],
  batchCalls = BATCH_CALLS,
): Promise<Answer[]> {
  const answers = Array.from<Answer>({ length: questions.length });
  const starts = Array.from({ length: Math.ceil(questions.length / batchCalls) }, (_, i) => i * batchCalls);
  const lane = async (): Promise<void> => {
    for (let start = starts.shift(); start !== undefined; start = starts.shift()) {
      const batch = questions.slice(start, start + batchCalls);
      for (const answer of await post(url, batch, start)) answers[answer.id] = read(answer);
    }
  };
  await Promise.all([lane(), lane()]);
  return answers;
}

async function post(url: string, questions: readonly Question[], start: number): Promise<RawAnswer[]> {
  const body = JSON.stringify(questions.map((question, i) => ({ jsonrpc: '2.0', id: start + i, ...question })));
  const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  return (await response.json()) as RawAnswer[];
}

const GAS =
  /out ?of ?gas|oog|gas required exceeds|intrinsic gas|floor data gas|GasFloor|CallGasCost|ReentrancySentry|gas uint64 overflow/i;
const REFUSED =
  /insufficient funds|fee per gas|per blob gas|max_priority_fee|gas price|blob|initcode size|EIP-7702|authorization|nonce/i;

/** How the execution reported by eth_createAccessList ended; its result has a member for that, without revert data. */
export function endOf(answer: Answer): Answer {
  if (answer.kind !== 'value') return answer;
  const { error: message } = answer.value as { readonly error?: string };
  if (message === undefined) return answer;
  return message === 'execution reverted' ? { kind: 'revert', data: '' } : failed(message);
}

function read({ result, error }: RawAnswer): Answer {
  if (error === undefined) return { kind: 'value', value: result };
  if (error.data !== undefined && error.message.startsWith('execution reverted'))
    return { kind: 'revert', data: error.data };
  return failed(error.message);
}

function failed(text: string): Answer {
  if (GAS.test(text)) return { kind: 'gas', text };
  return { kind: REFUSED.test(text) ? 'refused' : 'halt', text };
}
