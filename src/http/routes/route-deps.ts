// Dependencies that are shared by all routes that call the service. Used on the main thread.
import type { UsageLedger } from '../../fairness/usage-ledger.js';
import type { RpcService } from '../../rpc/answer/request-response-types.js';
import type { ClientIdentifier } from '../client-identifier.js';
import type { Cors } from './cors.js';
import type { HttpCounters } from '../http-counters.js';
import type { InFlightCounter } from '../in-flight-counter.js';
import type { Responder } from '../answers/responder.js';

export interface RouteDeps {
  readonly service: RpcService;
  readonly responder: Responder;
  readonly clients: ClientIdentifier;
  readonly ledger: UsageLedger;
  readonly cors: Cors;
  readonly inFlight: InFlightCounter;
  readonly counters: HttpCounters;
  /** Called with each exception that the service throws, which is a bug. The client gets an internal error. */
  readonly fault: (error: unknown) => void;
}
