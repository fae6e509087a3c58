import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DaemonUnderTest, needs, outputOf } from './daemon-under-test.js';

const mebibyte = 2 ** 20;

/** The sizes of writable layers. */
export function storageTests({ daemon }: DaemonUnderTest): void {
  test('StorageOpt size limits what a container writes to its layer', needs.projectQuotas, async () => {
    const { client } = daemon();
    const write = 'dd if=/dev/zero of=/big bs=1M count=24 2>/dev/null; stat -c %s /big';
    const limited = { HostConfig: { StorageOpt: { size: '8m' } } };
    const written = Number(await outputOf(client, write, limited as never));
    assert.ok(written > 4 * mebibyte && written <= 8 * mebibyte, `${written}`);
    assert.equal(Number(await outputOf(client, write)), 24 * mebibyte);
    // The quota of the one that was removed limits none that comes after it.
    const larger = { HostConfig: { StorageOpt: { size: '32m' } } };
    assert.equal(Number(await outputOf(client, write, larger as never)), 24 * mebibyte);
  });
}
