// The files of `deploy`, and the flags of the program. Shared by the tests of this folder.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { helpText } from '../../src/config/help-text.js';

export const root = new URL('../../../', import.meta.url);
export const textOf = (name: string): string => readFileSync(new URL(name, root), 'utf8');
export const deployed = (name: string): string => textOf(`deploy/${name}`);

/** Command-line flags that are not settings, and one that stands for any name. */
export const NO_SETTINGS = new Set(['config', 'help', 'name']);

export interface Flag {
  readonly name: string;
  /** Kind of the value; absent for a switch. */
  readonly kind: string;
  readonly doc: string;
}

export const FLAGS: readonly Flag[] = [...helpText().matchAll(/^ {2}--([a-z-]+) (\S*) +(.+?)(?: \([^ ()]+\))?$/gm)].map(
  ([, name, kind, doc]) => ({ name: name!, kind: kind!, doc: doc! }),
);
export const FLAG_NAMES = new Set(FLAGS.map(({ name }) => name));

export interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: object;
  readonly volumes: object;
  readonly secrets: object;
}

export interface Service {
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly ports: readonly string[];
  readonly networks: readonly string[];
  readonly volumes: readonly string[];
  readonly secrets?: readonly string[];
  readonly stop_grace_period?: string;
  readonly mem_limit?: string;
}

export const compose = parse(deployed('compose.yaml'), { merge: true }) as Compose;

export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

export interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
  readonly fieldConfig?: { readonly defaults: { readonly unit: string } };
}

export const ALERTS = (parse(deployed('alerts.yml')) as { groups: { rules: Alert[] }[] }).groups.flatMap(
  ({ rules }) => rules,
);
export const PANELS = (JSON.parse(deployed('grafana/dashboard.json')) as { panels: Panel[] }).panels;

export function alert(name: string): Alert {
  return ALERTS.find((rule) => rule.alert === name)!;
}
