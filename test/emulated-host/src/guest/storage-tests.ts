import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { kernelQuotas } from '@gantry/lib-linux/quotas';
import { refused } from '../emulated-hosts.js';
import { type DaemonUnderTest, isOrdinary, needs, outputOf } from './daemon-under-test.js';
import { run } from './run.js';

const mebibyte = 2 ** 20;

/** The number of a directory's project. */
const projectOf = (directory: string): string => run('lsattr', '-p', '-d', directory).split(/\s+/)[0] ?? '';

/** The sizes of writable layers. */
export function storageTests({ daemon }: DaemonUnderTest): void {
  test('StorageOpt size limits what a container writes to its layer', needs.projectQuotas, async (t) => {
    const { client } = daemon();
    const write = 'dd if=/dev/zero of=/big bs=1M count=24 2>/dev/null; stat -c %s /big';
    const limited = { HostConfig: { StorageOpt: { size: '8m' } } };
    if (isOrdinary) {
      await assert.rejects(outputOf(client, write, limited as never), {
        statusCode: 501,
        message: /cannot be enforced: only root of the host/,
      });
      return t.skip(refused);
    }
    const output = await outputOf(client, write, limited as never);
    // On ext4 the kernel itself writes a warning to the terminal of the process.
    const written = Number(output.split('\n').at(-1));
    assert.ok(written > 4 * mebibyte && written <= 8 * mebibyte, output);
    assert.equal(Number(await outputOf(client, write)), 24 * mebibyte);
    // The quota of the one that was removed limits none that comes after it.
    const larger = { HostConfig: { StorageOpt: { size: '32m' } } };
    assert.equal(Number(await outputOf(client, write, larger as never)), 24 * mebibyte);
  });

  test('the project of a limited directory that a crash left behind is used again', needs.projects, async () => {
    const place = mkdtempSync(join(tmpdir(), 'project-'));
    await kernelQuotas.limit(place, mebibyte);
    const project = projectOf(place);
    rmSync(place, { recursive: true });
    const next = mkdtempSync(join(tmpdir(), 'project-'));
    const module = import.meta.resolve('@gantry/lib-linux/quotas');
    const limit = `import { kernelQuotas } from '${module}'; await kernelQuotas.limit('${next}', ${mebibyte});`;
    run(process.execPath, '--input-type=module', '-e', limit);
    assert.equal(projectOf(next), project);
    await kernelQuotas.release(next);
    rmSync(next, { recursive: true });
  });
}
