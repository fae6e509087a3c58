import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DaemonUnderTest, needs } from './daemon-under-test.js';

/** Names of what the host has that engines make: mounts, links, processes, cgroups and the like. */
type Snapshot = Readonly<Record<string, readonly string[]>>;

const { snapshot, leaksSince } = (await import(
  new URL('../../../../scripts/leak-check.mjs', import.meta.url).href
)) as { snapshot(): Snapshot; leaksSince(before: Snapshot): Promise<readonly string[]> };

/** The last group: `end` stops the daemon. */
export function leaksTests({ daemon, end }: DaemonUnderTest): void {
  const before = snapshot();
  test('gantryd check finds no orphans, and nothing is left on the host', needs.leaks, async () => {
    assert.deepEqual(await daemon().command('check'), { code: 0, said: 'no orphans found\n' });
    await end();
    assert.deepEqual(await leaksSince(before), []);
  });
}
