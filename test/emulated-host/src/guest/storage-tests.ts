import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { archiveOf, imageOf } from '@gantry/host';
import { kernelQuotas } from '@gantry/lib-linux/quotas';
import { refused } from '../emulated-hosts.js';
import { type DaemonUnderTest, isOrdinary, needs, outputOf } from './daemon-under-test.js';
import { run } from './run.js';

const mebibyte = 2 ** 20;

/** The number of a directory's project. */
const projectOf = (directory: string): string => run('lsattr', '-p', '-d', directory).split(/\s+/)[0] ?? '';

/** An image of so many layers: one with a program, and each other one with a file. */
async function layeredImage(tag: string, count: number): Promise<Buffer> {
  const program = await archiveOf({ busybox: readFileSync(run('which', 'busybox')) }, 0o755);
  const files = Array.from({ length: count - 1 }, (_, index) => archiveOf({ [`file-${index + 1}`]: `${index + 1}\n` }));
  return imageOf(tag, [program, ...(await Promise.all(files))]);
}

/** The sizes of writable layers, and how many there may be below one. */
export function storageTests({ daemon }: DaemonUnderTest): void {
  test('a container on an image of 130 layers, without copies of them', async () => {
    const { client } = daemon();
    assert.equal((await client.info()).Driver, 'overlayfs');
    const loading = await client.loadImage(Readable.from([await layeredImage('layered:1', 130)]) as never);
    assert.match(await text(loading), /Loaded image: layered:1/);
    const command = '/busybox cat /file-1 /file-129; set -- /file-*; echo $#';
    assert.equal(await outputOf(client, command, { Image: 'layered:1', Entrypoint: ['/busybox'] }), '1\n129\n129');
    await client.getImage('layered:1').remove();
  });

  test('StorageOpt size limits what a container writes to its layer', needs.projectQuotas, async (t) => {
    const { client } = daemon();
    const write = 'dd if=/dev/zero of=/big bs=1M count=24 2>/dev/null; stat -c %s /big';
    const limited = { HostConfig: { StorageOpt: { size: '8m' } } };
    if (isOrdinary) {
      await assert.rejects(outputOf(client, write, limited as never), {
        statusCode: 500,
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
