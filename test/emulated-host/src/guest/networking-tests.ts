import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, runIn, startContainer } from '@gantry/host';
import type { DaemonUnderTest } from './daemon-under-test.js';

const server = ['sh', '-c', 'mkdir /www; echo answered > /www/index.html; exec httpd -f -p 80 -h /www'];

/** A network of the client's own, with names and a published port. */
export function networkingTests({ daemon }: DaemonUnderTest): void {
  test('a published port, and names on a network', async () => {
    const { client } = daemon();
    const network = await client.createNetwork({ Name: 'emulated' });
    const web = await startContainer(client, {
      name: 'web',
      Cmd: server,
      ExposedPorts: { '80/tcp': {} },
      HostConfig: { NetworkMode: 'emulated', PortBindings: { '80/tcp': [{ HostPort: '0' }] } },
    });
    const port = (await web.inspect()).NetworkSettings.Ports['80/tcp']?.[0]?.HostPort;
    await eventually('an answer on the published port', async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
      return (await answer?.text()) === 'answered\n';
    });
    const other = await startContainer(client, { HostConfig: { NetworkMode: 'emulated' } });
    assert.equal((await runIn(other, 'wget -q -O - http://web/')).output, 'answered\n');
    await Promise.all([web.remove({ force: true }), other.remove({ force: true })]);
    await network.remove();
  });
}
