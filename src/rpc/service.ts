// From the bytes of a body to the bytes of its answer. Runs on main.
import { rpcError, type RpcError } from '../errors.js';
import { LIMITS } from '../limits.js';
import type { Answer, AnswerPosition, Asker, LeastPosition, RpcService } from './answer.js';
import { Arguments } from './arguments.js';
import type { Decoder } from './decode.js';
import { AnswerWriter, errorJson } from './encode.js';
import { readHot } from './hot.js';
import { BEGUN_ANEW, type CallResult, type Method, type MethodParts } from './method.js';
import { runWhenHeld, sent } from './run-when-held.js';
import type { PassesOn } from './passthrough.js';
import type { Session } from './session.js';
import { BODY, HOT_METHODS, NOTIFICATION, OTHER_METHOD, ROW_WORDS, SHAPE, WORD } from './words.js';

export interface ServiceOptions {
  /** Calls in one batch. */
  readonly callsMax: number;
  /** Which methods that are not served here go to the upstream node. */
  readonly passesOn: PassesOn;
}

export interface ServiceParts {
  readonly decoder: Decoder;
  readonly methods: readonly Method[];
  readonly parts: MethodParts;
  /** The session of the present table. */
  readonly session: () => Session;
}

/** Calls answered since start, by method name; `other` counts those that name no method of ours. */
export type CallCounts = ReadonlyMap<string, number>;

/** Rereads are made for whoever began them: nobody can call them off. */
const NOBODY: Asker = { aborted: false };
const NO_BYTES = new Uint8Array();
const NOTHING: Answer = { status: 204, bytes: NO_BYTES, position: null };
const OTHER = 'other';
const TOO_MANY = rpcError('batchTooLarge');

/** One answer that is still being computed, inside a batch. */
interface Waiting {
  readonly id: string;
  readonly result: Promise<CallResult>;
}

/** What is known of one body while it is answered. */
interface Turn {
  /** A call of it fell between two tables. */
  isCut: boolean;
  /** A call of it went to the upstream node as it is, and may not be made twice. */
  isPassedOn: boolean;
}

export class Service implements RpcService {
  readonly #callsMax: number;
  readonly #passesOn: PassesOn;
  readonly #decoder: Decoder;
  readonly #methods: ReadonlyMap<string, Method>;
  readonly #hotMethods: readonly (Method | undefined)[];
  readonly #parts: MethodParts;
  readonly #session: () => Session;
  readonly #writer = new AnswerWriter();
  /** Hot methods are counted by index: a Map costs a look-up and a store, 60 ns a call. */
  readonly #hotCounts = new Float64Array(HOT_METHODS.length);
  readonly #counts = new Map<string, number>();
  #body: Uint8Array = NO_BYTES;
  #asker: Asker = NOBODY;
  #turn: Turn = { isCut: false, isPassedOn: false };
  #overloads = 0;

  constructor(options: ServiceOptions, parts: ServiceParts) {
    this.#callsMax = options.callsMax;
    this.#passesOn = options.passesOn;
    this.#decoder = parts.decoder;
    this.#methods = new Map(parts.methods.map((method) => [method.name, method]));
    this.#hotMethods = HOT_METHODS.map((name) => this.#methods.get(name));
    this.#parts = parts.parts;
    this.#session = parts.session;
  }

  get counts(): CallCounts {
    return new Map([...HOT_METHODS.map((name, i) => [name, this.#hotCounts[i]!] as const), ...this.#counts]);
  }

  /** A body that fell between two tables is answered as a whole from the new one. */
  answer(body: Uint8Array, asker: Asker, least: LeastPosition | null = null): Answer | Promise<Answer> {
    const answer = this.#answerOnce(body, asker, least);
    if (this.#parts.backing === null || !(answer instanceof Promise)) return answer;
    // The bytes are the caller's again once this returns.
    const kept = new Uint8Array(body);
    return this.#uncut(answer, () => this.#answerOnce(kept, asker, least));
  }

  async #uncut(first: Promise<Answer>, again: () => Answer | Promise<Answer>): Promise<Answer> {
    let turn = this.#turn;
    let answer = await first;
    for (let tries = 1; turn.isCut && !turn.isPassedOn && tries < LIMITS.fillTriesMax; tries++) {
      const next = again();
      turn = this.#turn;
      answer = await next;
    }
    return answer;
  }

  #answerOnce(body: Uint8Array, asker: Asker, least: LeastPosition | null): Answer | Promise<Answer> {
    const kind = this.#decoder.decode(body);
    this.#body = body;
    this.#asker = asker;
    this.#turn = { isCut: false, isPassedOn: false };
    this.#overloads = 0;
    this.#writer.reset();
    const session = this.#session();
    session.begin();
    try {
      if (least !== null && isBehind(session, least)) return this.#refuseBehind(kind, session, least);
      return this.#answerKind(kind, session);
    } finally {
      session.end();
    }
  }

  #answerKind(kind: number, session: Session): Answer | Promise<Answer> {
    switch (kind) {
      case BODY.single:
        return this.#answerSingle(session);
      case BODY.batch:
        if (this.#decoder.count === 0) return this.#refuse('emptyBatch', session);
        return this.#decoder.count > this.#callsMax ? this.#refuseBatch(session, TOO_MANY) : this.#answerBatch(session);
      case BODY.batchTooLarge:
        return this.#refuseBatch(session, TOO_MANY);
      default:
        return this.#refuse('parse', session);
    }
  }

  #answerSingle(session: Session): Answer | Promise<Answer> {
    const waiting = this.#answerRow(0, session);
    if (waiting === null) return this.#finished(session, 1);
    const { position } = session;
    return waiting.result.then((result) => {
      const bytes = waiting.id === '' ? NO_BYTES : encode(waiting.id, bounded(result));
      return { status: bytes.length === 0 ? 204 : statusOf(result), bytes, position };
    });
  }

  #answerBatch(session: Session): Answer | Promise<Answer> {
    const pieces: (Uint8Array | Waiting)[] = [];
    const writer = this.#writer;
    let answered = false;
    writer.openBatch();
    for (let row = 0; row < this.#decoder.count; row++) {
      const before = writer.length;
      if (answered) writer.separate();
      const start = writer.length;
      const waiting = this.#answerRow(row, session);
      if (waiting !== null && waiting.id !== '') {
        pieces.push(writer.bytes().slice(), waiting);
        writer.reset();
        answered = true;
      } else if (writer.length === start) writer.truncate(before);
      else answered = true;
    }
    writer.closeBatch();
    if (pieces.length === 0) return answered ? this.#finished(session, this.#decoder.count) : NOTHING;
    pieces.push(writer.bytes().slice());
    return joinPieces(pieces, session.position);
  }

  /** Answers one row into the writer; what has to be waited for is returned instead. */
  #answerRow(row: number, session: Session): Waiting | null {
    const { rows } = this.#decoder;
    const base = row * ROW_WORDS;
    const shape = rows[base + WORD.shape]!;
    const idOffset = rows[base + WORD.idOffset]!;
    const idLength = rows[base + WORD.idLength]!;
    if (shape === SHAPE.hot) {
      this.#hotCounts[rows[base + WORD.method]!]!++;
      const before = this.#writer.length;
      if (readHot(this.#writer, session, this.#body, rows, base)) {
        this.#bound(before, idOffset, idLength);
        return null;
      }
    } else if ((shape & ~NOTIFICATION) === SHAPE.invalid) {
      this.#writer.error(this.#body, idOffset, idLength, rpcError('invalidRequest'));
      return null;
    }
    const result = this.#run(base, session);
    const isNotification = (shape & NOTIFICATION) !== 0;
    if (result instanceof Promise) return { id: isNotification ? '' : this.#text(idOffset, idLength), result };
    if (!isNotification) this.#write(idOffset, idLength, result);
    return null;
  }

  #write(idOffset: number, idLength: number, result: CallResult): void {
    const before = this.#writer.length;
    if (typeof result !== 'string') this.#writer.error(this.#body, idOffset, idLength, result);
    else this.#writer.result(this.#body, idOffset, idLength, result);
    this.#bound(before, idOffset, idLength);
  }

  /** Takes back an answer that no longer fits the response, and says so instead. */
  #bound(before: number, idOffset: number, idLength: number): void {
    if (this.#writer.length <= LIMITS.responseBytesMax) return;
    this.#writer.truncate(before);
    this.#writer.error(this.#body, idOffset, idLength, rpcError('responseTooLarge'));
  }

  #run(base: number, session: Session): CallResult | Promise<CallResult> {
    const method = this.#methodOf(base);
    if ('error' in method) return method;
    const args = this.#argumentsOf(base, method);
    if (args.failure) return args.failure;
    try {
      const result = this.#settled(method, args, session, method.run(args, session, this.#parts, this.#asker));
      if (result instanceof Promise) return this.#watched(result, method);
      if (typeof result === 'object' && 'error' in result && result.error === 'overload') this.#overloads++;
      return result;
    } catch (fault) {
      return this.#fault(method, fault);
    }
  }

  #watched(result: Promise<CallResult>, method: Method): Promise<CallResult> {
    const turn = this.#turn;
    return result.then(
      (settled) => {
        if (typeof settled !== 'string' && settled.message === BEGUN_ANEW) turn.isCut = true;
        return settled;
      },
      (fault: unknown) => this.#fault(method, fault),
    );
  }

  /** What a method gave, or the promise of it where the upstream node has to be asked. */
  #settled(method: Method, args: Arguments, session: Session, result: ReturnType<Method['run']>) {
    const { backing } = this.#parts;
    if (backing === null) return result as CallResult | Promise<CallResult>;
    const wants = session.takeWants();
    if (wants === null) return sent(method, result, backing);
    const call = { method, args, asker: this.#asker };
    return runWhenHeld(call, session.version, wants, { backing, methodParts: this.#parts, session: this.#session });
  }

  #fault(method: Method, fault: unknown): RpcError {
    this.#session().takeWants();
    this.#parts.onFault(method.name, fault);
    return rpcError('internal');
  }

  #methodOf(base: number): Method | RpcError {
    const { rows } = this.#decoder;
    const index = rows[base + WORD.method]!;
    if (index !== OTHER_METHOD) {
      if (rows[base + WORD.shape] !== SHAPE.hot) this.#hotCounts[index]!++;
      const hot = this.#hotMethods[index];
      if (hot !== undefined) return hot;
    }
    const name = JSON.parse(this.#text(rows[base + WORD.methodOffset]!, rows[base + WORD.methodLength]!)) as string;
    const method = this.#methods.get(name);
    this.#count(method === undefined ? OTHER : name);
    if (method === undefined && this.#passesOn(name)) {
      this.#turn.isPassedOn = true;
      return passedOn(name);
    }
    return method ?? rpcError('methodNotFound', `the method ${name} does not exist/is not available`);
  }

  #argumentsOf(base: number, method: Method): Arguments {
    const { rows } = this.#decoder;
    const length = rows[base + WORD.paramsLength]!;
    const params: unknown = length === 0 ? null : JSON.parse(this.#text(rows[base + WORD.paramsOffset]!, length));
    const args = new Arguments(Array.isArray(params) ? params : []);
    if (params !== null && !Array.isArray(params)) args.fail('non-array args');
    return args.most(method.paramsMax);
  }

  #count(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  #text(offset: number, length: number): string {
    return Buffer.from(this.#body.buffer, this.#body.byteOffset + offset, length).toString('utf8');
  }

  #refuse(error: 'parse' | 'emptyBatch', session: Session): Answer {
    this.#writer.error(this.#body, 0, 0, rpcError(error));
    return this.#finished(session, 1);
  }

  /** A client that has seen more elsewhere is told so, rather than answered from before that. */
  #refuseBehind(kind: number, session: Session, least: LeastPosition): Answer {
    if (kind === BODY.malformed) return this.#refuse('parse', session);
    const { block, index } = session.position;
    const message = `at block ${block} index ${index}, behind block ${least.block} index ${least.index}`;
    const error = rpcError('behind', message);
    if (kind !== BODY.single) return this.#refuseBatch(session, error);
    const { rows } = this.#decoder;
    if ((rows[WORD.shape]! & NOTIFICATION) !== 0) return NOTHING;
    this.#writer.error(this.#body, rows[WORD.idOffset]!, rows[WORD.idLength]!, error);
    return this.#finished(session, 1);
  }

  /** Every id of the batch gets the error; nothing is run. */
  #refuseBatch(session: Session, error: RpcError): Answer {
    const { rows, count } = this.#decoder;
    this.#writer.openBatch();
    let answered = false;
    for (let base = 0; base < count * ROW_WORDS; base += ROW_WORDS) {
      if ((rows[base + WORD.shape]! & NOTIFICATION) !== 0) continue;
      if (answered) this.#writer.separate();
      this.#writer.error(this.#body, rows[base + WORD.idOffset]!, rows[base + WORD.idLength]!, error);
      answered = true;
    }
    if (!answered) this.#writer.error(this.#body, 0, 0, error);
    this.#writer.closeBatch();
    return this.#finished(session, 1);
  }

  #finished(session: Session, calls: number): Answer {
    const bytes = this.#writer.bytes();
    if (bytes.length === 0) return NOTHING;
    return { status: this.#overloads === calls ? 429 : 200, bytes, position: session.position };
  }
}

function statusOf(result: CallResult): 200 | 429 {
  return typeof result === 'object' && result.error === 'overload' ? 429 : 200;
}

/** An answer from the text of its id. */
function encode(id: string, result: CallResult): Buffer {
  const member = typeof result === 'string' ? `"result":${result}` : `"error":${errorJson(result)}`;
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},${member}}`);
}

function bounded(result: CallResult): CallResult {
  return typeof result === 'string' && result.length > LIMITS.responseBytesMax ? rpcError('responseTooLarge') : result;
}

/** Waits for the open answers of a batch; those that no longer fit the limit are refused each by itself. */
async function joinPieces(pieces: readonly (Uint8Array | Waiting)[], position: AnswerPosition): Promise<Answer> {
  const settled: Uint8Array[] = [];
  let total = 0;
  for (const piece of pieces) {
    let bytes = piece instanceof Uint8Array ? piece : encode(piece.id, await piece.result);
    if (!(piece instanceof Uint8Array) && total + bytes.length > LIMITS.responseBytesMax) {
      bytes = encode(piece.id, rpcError('responseTooLarge'));
    }
    total += bytes.length;
    settled.push(bytes);
  }
  return { status: 200, bytes: Buffer.concat(settled), position };
}

/** A complete block is past all of its increments. */
function isBehind({ record }: Session, least: LeastPosition): boolean {
  const { block, index, hash } = record.coordinates;
  return block < least.block || (block === least.block && index < least.index && hash === null);
}

/** A method that is served by the upstream node alone. */
function passedOn(name: string): Method {
  return { name, paramsMax: Infinity, run: (args) => ({ forward: args.all, answerMsMax: LIMITS.passedOnMsMax }) };
}
