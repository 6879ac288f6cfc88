// The Kubernetes manifest: the program reads what it is given, and probes, ports, volumes and selectors match.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { readCommandAndConfig } from '../../src/config/read-settings.js';
import { deployed, textOf } from './deployed.js';

type Labels = Readonly<Record<string, string>>;
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}
interface Container {
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
  readonly startupProbe: Probe;
  readonly resources: { readonly limits: { readonly cpu: string; readonly memory: string } };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}
interface Pod {
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly [Container];
  readonly volumes: readonly { readonly name: string }[];
}
interface Resource {
  readonly kind: string;
  readonly spec: {
    readonly selector: Labels & { readonly matchLabels: Labels };
    readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: Pod };
    readonly ports: readonly { readonly targetPort: string }[];
  };
}

const resources = parseAllDocuments(deployed('kubernetes.yaml')).map((document) => document.toJS() as Resource);
const [{ spec: deployment }, { spec: service }, { spec: budget }] = resources as [Resource, Resource, Resource];
const pod = deployment.template.spec;
const [container] = pod.containers;

test('the program starts with the arguments and environment of its container', () => {
  const command = readCommandAndConfig([], Object.fromEntries(container.env.map(({ name, value }) => [name, value])));
  assert.ok(command.kind === 'run', JSON.stringify(command));
  const { cpu, memory } = container.resources.limits;
  assert.equal(command.config.workers, Number(cpu));
  assert.equal(2 * command.config['state-memory']!, parseInt(memory, 10) * 2 ** 30);
});

test('probes request served paths at the published port', () => {
  const { readinessProbe, livenessProbe, startupProbe, ports } = container;
  assert.equal(readinessProbe.httpGet.path, '/readyz');
  for (const { httpGet } of [livenessProbe, startupProbe]) assert.equal(httpGet.path, '/livez');
  for (const { httpGet } of [readinessProbe, livenessProbe, startupProbe]) assert.equal(httpGet.port, ports[0]!.name);
  assert.equal(service.ports[0]!.targetPort, ports[0]!.name);
  assert.ok(deployed('Dockerfile').includes(`EXPOSE ${ports[0]!.containerPort}`));
});

test('service, disruption budget and deployment select the same pods', () => {
  const { labels } = deployment.template.metadata;
  assert.deepEqual(
    resources.map(({ kind }) => kind),
    ['Deployment', 'Service', 'PodDisruptionBudget'],
  );
  assert.deepEqual(
    [service.selector, deployment.selector.matchLabels, budget.selector.matchLabels],
    [labels, labels, labels],
  );
});

test('every mounted volume exists, the data folder of the image included, and the grace period is long enough', () => {
  assert.deepEqual(
    container.volumeMounts.map(({ name }) => name).toSorted(),
    pod.volumes.map(({ name }) => name).toSorted(),
  );
  assert.ok(deployed('Dockerfile').includes(`VOLUME ${container.volumeMounts[0]!.mountPath}`));
  assert.ok(pod.terminationGracePeriodSeconds > 15);
  assert.match(textOf('deploy/README.md'), /finishes requests in flight, flushes, and exits with code 0 within 15 s/);
});
