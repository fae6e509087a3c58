import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { buildArchive } from '@gantry/host';
import { type DaemonUnderTest, outputOf } from './daemon-under-test.js';

/** A build that runs a program and copies a file. */
export function buildingTests({ daemon }: DaemonUnderTest): void {
  test('build an image', async () => {
    const { client } = daemon();
    const stream = await client.buildImage(Readable.from([buildArchive]) as never, { t: 'built:1' });
    const progress = await new Promise<readonly { readonly error?: string }[]>((resolve, reject) =>
      client.modem.followProgress(stream, (error, lines) => (error ? reject(error) : resolve(lines))),
    );
    assert.deepEqual(
      progress.filter(({ error }) => error !== undefined),
      [],
    );
    assert.equal(await outputOf(client, 'cat /made; echo $MADE', { Image: 'built:1' }), 'content1');
    await client.getImage('built:1').remove();
  });
}
