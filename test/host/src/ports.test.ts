import { createServer } from 'node:net';
import { startDaemon } from '@gantry/test-nodes';
import test from 'ava';

const server = ['sh', '-c', 'mkdir /www; echo answered > /www/index.html; exec httpd -f -p 80 -h /www'];

test('an HTTP server in a container answers on its published port, even after the daemon was killed', async (t) => {
  const daemon = await startDaemon(t);
  const container = await daemon.client.createContainer({
    Image: 'busybox',
    Cmd: server,
    ExposedPorts: { '80/tcp': {} },
    HostConfig: { PortBindings: { '80/tcp': [{ HostPort: '0' }] } },
  });
  await container.start();
  const { NetworkSettings } = await container.inspect();
  const port = Number(NetworkSettings.Ports['80/tcp']?.[0]?.HostPort);
  t.true(port > 0);
  t.is(await fetchSoon(`http://127.0.0.1:${port}/`), 'answered\n');
  t.is(await fetchSoon(`http://[::1]:${port}/`), 'answered\n');
  await daemon.crash();
  await daemon.restart();
  t.is(await fetchSoon(`http://127.0.0.1:${port}/`), 'answered\n');
});

test('a port in use fails the start before the process runs, and leaves nothing behind', async (t) => {
  const daemon = await startDaemon(t);
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  t.teardown(() => taken.close());
  const { port } = taken.address() as { port: number };
  const container = await daemon.client.createContainer({
    Image: 'busybox',
    Cmd: server,
    ExposedPorts: { '80/tcp': {} },
    HostConfig: { PortBindings: { '80/tcp': [{ HostIp: '127.0.0.1', HostPort: String(port) }] } },
  });
  await t.throwsAsync(container.start(), { message: /port is already allocated|address already in use/ });
  const { State, NetworkSettings } = await container.inspect();
  t.is(State.Status, 'created');
  t.is(NetworkSettings.Networks.bridge?.IPAddress ?? '', '');
});

/** The text of a page, once its server listens. */
async function fetchSoon(url: string): Promise<string> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    try {
      return await (await fetch(url, { signal: AbortSignal.timeout(2000) })).text();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
