// Written conversations: `// comment`, `>> request`, `<< answer`, as go-ethereum and the execution APIs keep them.
import { readFileSync } from 'node:fs';

/** One request and the answer to it. */
export interface Exchange {
  readonly request: string;
  readonly answer: string;
}

export interface Conversation {
  /** `// speconly:` a successful result is compared in shape and types only. */
  readonly shapeOnly: boolean;
  readonly exchanges: readonly Exchange[];
}

/** Reads a conversation file. */
export function readConversation(file: string): Conversation {
  const lines = readFileSync(file, 'utf8').split('\n');
  const exchanges: Exchange[] = [];
  let request = '';
  for (const line of lines) {
    if (line.startsWith('>> ')) request = line.slice(3);
    else if (line.startsWith('<< ')) exchanges.push({ request, answer: line.slice(3) });
  }
  return { shapeOnly: lines.some((line) => line.startsWith('// speconly:')), exchanges };
}
