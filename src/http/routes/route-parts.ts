// Parts that all routes that ask the service share. Types; runs on main.
import type { Ledger } from '../../clients/ledger.js';
import type { RpcService } from '../../rpc/answer/answer.js';
import type { Clients } from '../client.js';
import type { Cors } from './cors.js';
import type { Counters } from '../counters.js';
import type { InFlight } from '../in-flight.js';
import type { Responder } from '../answers/responder.js';

/** The parts of POST and of WebSockets. */
export interface RouteParts {
  readonly service: RpcService;
  readonly responder: Responder;
  readonly clients: Clients;
  readonly ledger: Ledger;
  readonly cors: Cors;
  readonly inFlight: InFlight;
  readonly counters: Counters;
  /** Called with each exception the service throws: a bug, answered as internal error. */
  readonly fault: (error: unknown) => void;
}
