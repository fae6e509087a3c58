import test from 'ava';
import type { ContainerRecord } from '../record.js';
import { hostsText } from './network-files.js';

const record = {
  name: 'web',
  config: { Hostname: 'web1', Domainname: 'example.test' },
  hostConfig: { ExtraHosts: ['db:10.0.0.9', 'six:fd00::9', 'host:host-gateway'] },
} as unknown as ContainerRecord;
const sandbox = { endpoints: [{ ipv4Address: '172.17.0.2', ipv6Address: '', gateway: '172.17.0.1' }] } as never;

test('hosts has loopback, what was asked for, links and the container itself', (t) => {
  const link = {
    alias: 'cache',
    container: { name: 'redis', config: { Hostname: 'abc' } },
    endpoint: { ipv4Address: '172.17.0.3' },
  } as never;
  const lines = hostsText({ record, sandbox, links: [link] }).split('\n');
  t.is(lines[0], '127.0.0.1\tlocalhost');
  t.true(lines.includes('10.0.0.9\tdb'));
  t.true(lines.includes('fd00::9\tsix'));
  t.true(lines.includes('172.17.0.3\tcache abc redis'));
  t.true(lines.includes('172.17.0.2\tweb1.example.test web1'));
});

test("host-gateway is the gateway of the container's network", (t) => {
  t.true(hostsText({ record, sandbox, links: [] }).includes('172.17.0.1\thost\n'));
});
