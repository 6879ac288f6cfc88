// Metrics of client requests.
import { type Metric, gaugeMetric, counterMetric, createMetricPerTopic } from './metric-definition.js';

export const SERVING_METRICS = {
  Traffic: [
    {
      kind: 'gauge',
      name: 'prestate_info',
      help: '1; version and chain are its labels',
      samples: ({ about: { version, chain, chainId } }) => [[1, { version, chain, chain_id: chainId }]],
    },
    {
      kind: 'counter',
      name: 'prestate_calls_total',
      help: 'Calls answered, by method',
      samples: ({ calls }) => [...calls()].map(([method, count]) => [count, { method }]),
    },
    {
      kind: 'counter',
      name: 'prestate_responses_total',
      help: 'HTTP responses, by status',
      samples: ({ http }) => Object.entries(http().answers).map(([status, count]) => [count, { status }]),
    },
    {
      kind: 'counter',
      name: 'prestate_errors_total',
      help: 'Calls answered with an error, by its name in src/rpc-errors.ts',
      samples: ({ errors }) => [...errors()].map(([error, count]) => [count, { error }]),
    },
    {
      kind: 'counter',
      name: 'prestate_node_executions_total',
      help: 'Estimates and calls not run here: foreign (non-EVM code), rules, setting go to the node, others fail',
      samples: ({ nodeExecutions }) => Object.entries(nodeExecutions()).map(([reason, count]) => [count, { reason }]),
    },
    counterMetric('prestate_requests_aborted_total', 'Requests whose client disconnected', (s) => s.http().aborted),
    counterMetric('prestate_received_bytes_total', 'Bytes of bodies received', (s) => s.http().bytesIn),
    counterMetric('prestate_sent_bytes_total', 'Bytes of bodies sent', (s) => s.http().bytesOut),
    gaugeMetric('prestate_requests_in_flight', 'Requests without a response yet', (s) => s.http().inFlight),
    gaugeMetric('prestate_unsent_bytes', 'Bytes of responses buffered for slow readers', (s) => s.http().unsentBytes),
    gaugeMetric('prestate_answer_bytes', 'Bytes of responses being written', (s) => s.answerBytes()),
    gaugeMetric('prestate_websockets', 'Open WebSockets', (s) => s.http().socketsOpen),
    counterMetric('prestate_websocket_messages_total', 'WebSocket messages received', (s) => s.http().socketMessages),
    counterMetric('prestate_slow_readers_total', 'Connections closed for not reading', (s) => s.http().slowReaders),
    counterMetric(
      'prestate_full_turns_total',
      'Event-loop ticks that ended with connections waiting',
      (s) => s.http().fullTurns,
    ),
    counterMetric(
      'prestate_accept_pauses_total',
      'Pauses in accepting connections for lack of file descriptors',
      (s) => s.http().acceptPauses,
    ),
    gaugeMetric(
      'prestate_guard_buffer_bytes',
      'Bytes of unfinished requests buffered by the HTTP guard',
      (s) => s.http().bufferBytes,
    ),
    counterMetric(
      'prestate_guard_buffer_refusals_total',
      'Requests and connections refused because the buffers of the HTTP guard were full',
      (s) => s.http().bufferRefusals,
    ),
  ],
  Subscriptions: [
    createMetricPerTopic('gauge', 'prestate_subscriptions', 'Open subscriptions', 'open'),
    createMetricPerTopic('gauge', 'prestate_filters', 'Filters of clients that poll', 'filters'),
    createMetricPerTopic('counter', 'prestate_pushed_messages_total', 'Messages sent to subscribers', 'pushed'),
    createMetricPerTopic('counter', 'prestate_skipped_messages_total', 'Messages skipped for slow readers', 'skipped'),
    {
      kind: 'counter',
      name: 'prestate_subscribers_closed_total',
      help: 'Connections closed because messages would have been lost, by reason',
      samples: ({ push }) => Object.entries(push().closed).map(([reason, count]) => [count, { reason }]),
    },
    counterMetric('prestate_resumes_total', 'Subscriptions resumed from an earlier position', (s) => s.push().resumed),
  ],
  'Own transactions': [
    {
      kind: 'gauge',
      name: 'prestate_sends_on_the_way',
      help: 'Submitted transactions that count towards the nonce at pending',
      samples: ({ ownSends }) => {
        const sends = ownSends();
        return sends === null ? [] : [[sends.size]];
      },
    },
    {
      kind: 'counter',
      name: 'prestate_sends_total',
      help: 'Submitted transactions: accepted, included, and expired without inclusion',
      samples: ({ ownSends }) => Object.entries(ownSends()?.counts ?? {}).map(([status, count]) => [count, { status }]),
    },
  ],
  'Watched calls': [
    gaugeMetric('prestate_watched_calls', 'Distinct calls that are watched', (s) => s.watches().calls),
    gaugeMetric('prestate_watched_keys', 'Accounts and slots that watched calls have read', (s) => s.watches().names),
    counterMetric('prestate_watch_runs_total', 'Executions of watched calls', (s) => s.watches().runs),
    counterMetric(
      'prestate_watch_runs_vain_total',
      'Executions of watched calls that had to be repeated',
      (s) => s.watches().vain,
    ),
  ],
} satisfies Readonly<Record<string, readonly Metric[]>>;
