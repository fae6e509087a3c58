import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { HandshakeQueue } from './handshake-queue.js';

/** Connections from ports 1 and up, in this order, and the ports of those whose handshakes have begun. */
function connect(count: number) {
  const begun: number[] = [];
  const closed = new Set<Socket>();
  const queue = new HandshakeQueue(
    ({ remotePort }) => void begun.push(remotePort ?? 0),
    (socket) => closed.has(socket),
  );
  const sockets = Array.from({ length: count }, (_, index) => {
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress: '192.0.2.1',
      remotePort: index + 1,
      destroy: () => void socket.emit('close'),
    });
    return socket as unknown as Socket;
  });
  for (const socket of sockets) queue.add(socket);
  return { begun, closed, queue, sockets };
}

const ports = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);

test('a few handshakes go on at the same time, and the others in the order of their connections', (t) => {
  const { begun, queue, sockets } = connect(10);
  t.deepEqual(begun, ports(1, 8));
  queue.end(sockets[3] as Socket);
  t.deepEqual(begun, ports(1, 9));
  sockets[0]?.destroy();
  t.deepEqual(begun, ports(1, 10));
});

test('a handshake that has ended twice makes room once', (t) => {
  const { begun, queue, sockets } = connect(12);
  queue.end(sockets[0] as Socket);
  queue.end(sockets[0] as Socket);
  sockets[0]?.destroy();
  t.deepEqual(begun, ports(1, 9));
});

test('a connection that is closed before its turn has none', (t) => {
  const { begun, queue, sockets } = connect(10);
  sockets[8]?.destroy();
  queue.end(sockets[0] as Socket);
  t.deepEqual(begun, [...ports(1, 8), 10]);
});

test('connections that their nodes have closed while they waited are closed, with no handshake', (t) => {
  const { begun, closed, queue, sockets } = connect(5_000);
  const destroyed: number[] = [];
  for (const socket of sockets.slice(8, -1)) {
    closed.add(socket);
    socket.once('close', () => void destroyed.push(socket.remotePort ?? 0));
  }
  queue.end(sockets[0] as Socket);
  t.deepEqual(begun, [...ports(1, 8), 5_000]);
  t.deepEqual(destroyed, ports(9, 4_999));
});

test('nodes that send nothing keep no others waiting for long', async (t) => {
  const { begun } = connect(20);
  while (begun.length < 20) await delay(20);
  t.deepEqual(begun, ports(1, 20));
});

test('connections whose handshakes have not ended are closed with the queue', async (t) => {
  const { begun, queue, sockets } = connect(20);
  while (begun.length < 20) await delay(20);
  const closed: number[] = [];
  for (const socket of sockets) socket.once('close', () => void closed.push(socket.remotePort ?? 0));
  queue.end(sockets[0] as Socket);
  queue.close();
  t.deepEqual(closed, ports(2, 20));
});

test('connections that wait are closed with the queue', (t) => {
  const { begun, queue, sockets } = connect(10);
  queue.close();
  for (const socket of sockets) queue.end(socket);
  t.deepEqual(begun, ports(1, 8));
});
