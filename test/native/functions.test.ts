// The table of native functions matches the built addon; each function has a reference implementation, and most have a
// portable form.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { ADDON_MODULES, modulesForPlatform } from '../../src/native/functions.table.js';
import { loadNativeModule } from '../../src/native/load-addon.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** `mmapLargeAllocations` only applies to glibc's allocator, which AddressSanitizer replaces. */
function isGlibc(): boolean {
  const { header, sharedObjects } = process.report.getReport() as unknown as {
    readonly header: { readonly glibcVersionRuntime?: string };
    readonly sharedObjects: readonly string[];
  };
  return header.glibcVersionRuntime !== undefined && !sharedObjects.some((file) => file.includes('libasan'));
}

for (const name of modulesForPlatform(process.platform)) {
  const { part, reason } = loadNativeModule(name);
  test(`the addon module ${name} has the functions of its row`, { skip: part === null && reason }, () => {
    assert.deepEqual(Object.keys(part!).sort(), Object.keys(ADDON_MODULES[name].functions).sort());
  });
}

test('portable forms and reference implementations are files of this project', () => {
  const files = Object.values(ADDON_MODULES).flatMap(({ functions }) => Object.values(functions));
  const named = files.flatMap(({ portable, test: judge }) => (portable === null ? [judge] : [portable, judge]));
  assert.deepEqual(
    named.filter((file) => !existsSync(join(ROOT, file))),
    [],
  );
});

test('a module for another platform is not built here', () => {
  assert.ok(modulesForPlatform('linux').includes('httpGuard'));
  assert.ok(!modulesForPlatform('darwin').includes('httpGuard'));
});

const { part: json, reason: noJson } = loadNativeModule('json');
test('large blocks are mapped if the C library is glibc', { skip: json === null && noJson }, () => {
  assert.equal(json!.mapLargeBlocks(32 * 1024 * 1024), isGlibc());
});

test('trimming the heap returns nothing, with every C library', { skip: json === null && noJson }, () => {
  assert.equal(json!.trimHeap(), undefined);
});
