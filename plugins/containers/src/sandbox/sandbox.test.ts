import { notFound } from '@gantry/core/errors';
import type { Endpoint } from '@gantry/networks/service';
import test from 'ava';
import type { ContainerRecord } from '../record.js';
import { recordWith, networks as testNetworks } from '../testing/configuration-fixture.js';
import { ContainerLinks } from './container-links.js';
import { parseLink } from './parse-link.js';
import { parseHostPort, parsePort, portRequests } from './port-requests.js';
import { sandboxRequest } from './sandbox-request.js';

test('ports have a protocol, and words are none', (t) => {
  t.deepEqual(parsePort('80'), { port: 80, protocol: 'tcp' });
  t.deepEqual(parsePort('53/udp'), { port: 53, protocol: 'udp' });
  for (const text of ['x/tcp', '80/http', '0/tcp', '65536', '80/tcp/x', '']) {
    t.throws(() => parsePort(text), { message: /invalid port specification/ });
  }
  t.deepEqual(parseHostPort(''), { first: 0 });
  t.deepEqual(parseHostPort('8000-8010'), { first: 8000, last: 8010 });
  for (const text of ['8010-8000', '-1', '70000', 'x']) t.throws(() => parseHostPort(text), { message: /HostPort/ });
});

test('bindings are published, and with PublishAllPorts every other exposed port', (t) => {
  const PortBindings = { '80/tcp': [{ HostIp: '127.0.0.1', HostPort: '8080' }, { HostPort: '' }] };
  const exposed = { '80/tcp': {}, '53/udp': {} };
  const bound = [
    { protocol: 'tcp', containerPort: 80, hostPort: 8080, hostIp: '127.0.0.1' },
    { protocol: 'tcp', containerPort: 80, hostPort: 0 },
  ];
  t.deepEqual(portRequests({ PortBindings }, exposed), bound as never);
  t.deepEqual(portRequests({ PortBindings, PublishAllPorts: true }, exposed), [
    ...bound,
    { protocol: 'udp', containerPort: 53, hostPort: 0 },
  ] as never);
});

test('links are written in three ways', (t) => {
  t.deepEqual(parseLink('db:alias'), { target: 'db', alias: 'alias' });
  t.deepEqual(parseLink('db'), { target: 'db', alias: 'db' });
  t.deepEqual(parseLink('/db:/web/alias'), { target: 'db', alias: 'alias' });
});

const networks = { ...testNetworks, endpointsOf: (): readonly Endpoint[] => [] };
const running = { status: 'running', pid: 1, startedAt: '' } as const;
const other: ContainerRecord = { ...recordWith({}), id: 'o'.repeat(64), name: 'db', state: running };
const containers = {
  get(reference: string): ContainerRecord {
    if (reference !== 'db') throw notFound(`No such container: ${reference}`);
    return other;
  },
};

test('the first network carries what belongs to the whole container', (t) => {
  const record: ContainerRecord = {
    ...recordWith({}),
    id: 'c'.repeat(64),
    name: 'web',
    config: { Hostname: 'h', Domainname: 'd', MacAddress: '02:00:00:00:00:01', ExposedPorts: { '80/tcp': {} } },
    hostConfig: { PortBindings: { '80/tcp': [{ HostPort: '1' }] }, Dns: ['9.9.9.9'] },
    networks: {
      front: { Aliases: ['nick'], IPAMConfig: { IPv4Address: '10.0.0.9' }, Links: ['db:peer'] },
      bridge: { networkId: 'stale' },
    },
  };
  const { attachments, container, dns } = sandboxRequest(record, networks);
  t.deepEqual(container, { id: record.id, name: 'web', hostname: 'h', domainname: 'd' });
  t.deepEqual(dns.nameservers, ['9.9.9.9']);
  t.like(attachments[0], {
    networkId: 'front-id',
    aliases: ['nick', 'c'.repeat(12), 'h'],
    links: { peer: 'db' },
    ipv4Address: '10.0.0.9',
    macAddress: '02:00:00:00:00:01',
    exposedPorts: ['80/tcp'],
  });
  t.is(attachments[0]?.ports.length, 1);
  t.like(attachments[1], { networkId: 'bridge-id', aliases: [] });
  t.deepEqual(attachments[1]?.ports, []);
  t.is(attachments[1]?.macAddress, undefined);
});

test('on the default network a link to a container that does not run is refused by name', (t) => {
  const links = { name: 'web', hostConfig: { Links: ['db:nick'] } };
  const record: ContainerRecord = { ...recordWith({}), ...links, networks: { bridge: {} } };
  const stopped = { get: () => ({ ...other, state: { status: 'created' } as const }) };
  t.throws(() => new ContainerLinks({ lookup: stopped }, networks).required(record), {
    message: 'Cannot link to a non running container: /db AS /web/nick',
  });
});

test('on a user-defined network a link is a name, whether or not there is such a container', (t) => {
  const hostConfig = { Links: ['db:nick', 'nosuch:other'] };
  const record: ContainerRecord = { ...recordWith({}), name: 'web', hostConfig, networks: { front: {} } };
  const resolved = new ContainerLinks({ lookup: containers }, networks).required(record);
  t.deepEqual(
    resolved.map(({ alias }) => alias),
    ['nick'],
  );
  t.deepEqual(sandboxRequest(record, networks).attachments[0]?.links, { nick: 'db', other: 'nosuch' });
});
