import test from 'ava';
import { prepare, prepareHost, refusalOf } from '../../testing/configuration-fixture.js';

const exposing = (port: string) => ({ ExposedPorts: { [port]: {} } });
const binding = (port: string, bound: object = {}) => ({ HostConfig: { PortBindings: { [port]: [bound] } } });

for (const [body, words] of [
  [exposing('x/tcp'), 'ExposedPorts: invalid port specification: "x/tcp"'],
  [exposing('0/tcp'), 'ExposedPorts: invalid port specification: "0/tcp"'],
  [exposing('65536'), 'ExposedPorts: invalid port specification: "65536"'],
  [exposing('80/icmp'), 'ExposedPorts: invalid port specification: "80/icmp"'],
  [exposing('80/tcp/x'), 'ExposedPorts: invalid port specification: "80/tcp/x"'],
  [binding('x'), 'PortBindings: invalid port specification: "x"'],
  [binding('80/tcp', { HostPort: 'x' }), 'PortBindings: 80/tcp: invalid port specification: "x"'],
  [binding('80/tcp', { HostPort: '70000' }), 'PortBindings: 80/tcp: invalid port specification: "70000"'],
  [binding('80/tcp', { HostPort: '90-80' }), 'PortBindings: 80/tcp: invalid port specification: "90-80"'],
  [binding('80/tcp', { HostPort: '-1' }), 'PortBindings: 80/tcp: invalid port specification: "-1"'],
  [binding('80/tcp', { HostIp: 'x' }), 'PortBindings: 80/tcp: HostIp "x" is not an IP address'],
  [binding('80/tcp', { HostPort: 80 }), 'HostConfig.PortBindings["80/tcp"][0].HostPort: 80 is not a string'],
] as const) {
  test(`refused: ${JSON.stringify(body)}`, (t) => {
    t.is(
      refusalOf(() => prepare(body)),
      words,
    );
  });
}

test('ports are kept with their protocol', (t) => {
  const given = { ExposedPorts: { '80': {}, '53/udp': {}, '9/sctp': {} } };
  t.deepEqual(Object.keys(prepare(given).config.ExposedPorts ?? {}).sort(), ['53/udp', '80/tcp', '9/sctp']);
});

test('bindings are kept, with addresses out of their brackets', (t) => {
  const { hostConfig } = prepareHost({
    PortBindings: {
      '80': [{ HostPort: '8080' }],
      '80/tcp': [{ HostIp: '[::1]', HostPort: '8000-8010' }],
      '53/udp': [{}],
      '81/tcp': [],
    },
  });
  t.deepEqual(hostConfig.PortBindings, {
    '80/tcp': [
      { HostIp: '', HostPort: '8080' },
      { HostIp: '::1', HostPort: '8000-8010' },
    ],
    '53/udp': [{ HostIp: '', HostPort: '' }],
    '81/tcp': [],
  });
});

test('malformed ports of an image do not fail a container', (t) => {
  const { config } = prepare(exposing('80/tcp'), { image: { ExposedPorts: { '81': {}, 'x/tcp': {} } } });
  t.deepEqual(config.ExposedPorts, { '80/tcp': {}, '81/tcp': {} });
});
