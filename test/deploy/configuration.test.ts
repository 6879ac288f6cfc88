// The sample configuration and every flag mentioned in `deploy` exist in the program.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Config } from '../../src/config/config.js';
import { readCommandAndConfig } from '../../src/config/read-settings.js';
import { FLAGS, FLAG_NAMES, NO_SETTINGS, deployed, textOf } from './deployed.js';

function defaultConfig(): Config {
  const command = readCommandAndConfig([], {});
  assert.ok(command.kind === 'run', JSON.stringify(command));
  return command.config;
}

interface Setting {
  readonly name: string;
  readonly value: string;
  /** The comment above it, on one line. */
  readonly doc: string;
}

function sampleSettings(): readonly Setting[] {
  const found = deployed('prestate.conf').matchAll(/((?:^# .*\n)+)^#([a-z-]+) = (.+)$/gm);
  return [...found].map(([, doc, name, value]) => ({
    name: name!,
    value: value!,
    doc: doc!.trimEnd().replaceAll(/^# /gm, '').replaceAll('\n', ' '),
  }));
}

test('the sample configuration has every flag once, all commented out', () => {
  const names = sampleSettings().map(({ name }) => name);
  assert.deepEqual(names.toSorted(), [...FLAG_NAMES].filter((name) => !NO_SETTINGS.has(name)).toSorted());
  for (const line of deployed('prestate.conf').split('\n')) assert.match(line, /^(#|$)/);
});

test('the sample configuration describes each flag as --help does, with its default or kind', () => {
  const defaults = defaultConfig();
  for (const { name, value, doc } of sampleSettings()) {
    const flag = FLAGS.find((other) => other.name === name)!;
    assert.equal(doc, flag.doc, name);
    const unset = defaults[name as keyof Config];
    if (unset === undefined || (Array.isArray(unset) && unset.length === 0)) assert.equal(value, flag.kind, name);
    else assert.equal(value, String(unset), name);
  }
});

/** The program's flags in a text: as environment variables, in backticks, or after its file name. */
function flagsNamed(text: string): readonly string[] {
  const environment = [...text.matchAll(/\bPRESTATE_([A-Z][A-Z_]*[A-Z])\b/g)].map(([, name]) => name!);
  const flags = [...text.matchAll(/(?:`|main\.js |npm start -- )--([a-z-]+)/g)].map(([, name]) => name!);
  const names = [...environment.map((name) => name.toLowerCase().replaceAll('_', '-')), ...flags];
  return names.filter((name) => !NO_SETTINGS.has(name));
}

test('flags that image, compose file, unit and manual name exist', () => {
  for (const name of [
    'Dockerfile',
    'compose.yaml',
    'replicas.yaml',
    '.env.example',
    'prestate.service',
    'README.md',
    'RECIPES.md',
    'kubernetes.yaml',
  ]) {
    for (const flag of flagsNamed(deployed(name))) assert.ok(FLAG_NAMES.has(flag), `${name}: ${flag}`);
  }
});

test('Dockerfile, unit and README run the file that package.json names', () => {
  const { bin }: { bin: { prestate: string } } = JSON.parse(textOf('package.json'));
  for (const name of ['Dockerfile', 'prestate.service', 'README.md']) {
    assert.ok(deployed(name).includes(bin.prestate), name);
  }
});
