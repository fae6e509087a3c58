import test from 'ava';
import { assignPorts } from './assign-ports.js';

const spec = (...Ports: object[]) => ({ EndpointSpec: { Ports } });

test('a port without a number gets the first free one from 30000 up', (t) => {
  const taken = new Set(['port 30000/tcp']);
  const ports = assignPorts(spec({ TargetPort: 80 }, { TargetPort: 81 }), (name) => taken.has(name));
  t.deepEqual(
    ports.map(({ PublishedPort: port }) => port),
    [30_001, 30_002],
  );
});

test('an update keeps the number that a port has', (t) => {
  const before = assignPorts(spec({ TargetPort: 80 }), () => false);
  const after = assignPorts(spec({ TargetPort: 81 }, { TargetPort: 80 }), (name) => name === 'port 30000/tcp', before);
  t.deepEqual(
    after.map(({ PublishedPort: port }) => port),
    [30_001, 30_000],
  );
});

test('a host port without a number is left to the node', (t) => {
  const [port] = assignPorts(spec({ TargetPort: 80, PublishMode: 'host' }), () => false);
  t.deepEqual(port, { Protocol: 'tcp', TargetPort: 80, PublishMode: 'host' });
});
