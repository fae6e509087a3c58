import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { isClosedByPeer } from './is-closed-by-peer.js';

for (const address of ['127.0.0.1', '::1']) {
  test(`a socket at ${address} that is not read from is known to be closed at the other end`, async (t) => {
    const server = createServer({ pauseOnConnect: true });
    server.listen(0, address);
    await once(server, 'listening');
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = connect((server.address() as AddressInfo).port, address);
    const [socket] = await accepted;
    t.teardown(() => {
      socket.destroy();
      server.close();
    });
    client.write('is not read');
    t.false(isClosedByPeer(socket));
    client.destroy();
    while (!isClosedByPeer(socket)) await delay(5);
    t.false(socket.destroyed, 'it did not notice');
    socket.destroy();
    await once(socket, 'close');
    t.false(isClosedByPeer(socket), 'it is not connected');
  });
}
