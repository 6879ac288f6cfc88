// Types that all routes share which call the service. Used on main.
import type { UsageLedger } from '../../fairness/usage-ledger.js';
import type { RpcService } from '../../rpc/answer/rpc-service-types.js';
import type { Clients } from '../client.js';
import type { Cors } from './cors.js';
import type { Counters } from '../counters.js';
import type { InFlight } from '../in-flight.js';
import type { Responder } from '../answers/responder.js';

export interface RouteDeps {
  readonly service: RpcService;
  readonly responder: Responder;
  readonly clients: Clients;
  readonly ledger: UsageLedger;
  readonly cors: Cors;
  readonly inFlight: InFlight;
  readonly counters: Counters;
  /** Called with each exception that the service throws. That is a bug, and the response is an internal error. */
  readonly fault: (error: unknown) => void;
}
