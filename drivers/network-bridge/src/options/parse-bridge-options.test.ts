import { throws } from '@gantry/conformance';
import test from 'ava';
import { checkBridgeOptions, parseBridgeOptions } from './parse-bridge-options.js';

test('without options containers talk to each other and to the world', (t) => {
  const options = parseBridgeOptions({});
  t.true(options.icc);
  t.true(options.masquerade);
  t.false(options.isDefault);
  t.is(options.mtu, undefined);
});

test('options are read by either name, and unknown ones let through', (t) => {
  const vendor = 'com.docker.network';
  const options = parseBridgeOptions({
    [`${vendor}.bridge.name`]: 'br0',
    [`${vendor}.bridge.enable_icc`]: 'false',
    [`${vendor}.bridge.enable_ip_masquerade`]: 'F',
    [`${vendor}.bridge.host_binding_ipv4`]: '127.0.0.1',
    [`${vendor}.driver.mtu`]: '1400',
    [`${vendor}.container_iface_prefix`]: 'net',
    'com.example.anything': 'x',
  });
  const neutral = parseBridgeOptions({
    'gantry.bridge.name': 'br0',
    'gantry.bridge.icc': '0',
    'gantry.bridge.masquerade': 'False',
    'gantry.bridge.host-ip': '127.0.0.1',
    'gantry.bridge.mtu': '1400',
    'gantry.bridge.interface-prefix': 'net',
  });
  t.deepEqual(options, neutral);
  t.like(options, {
    bridge: 'br0',
    icc: false,
    masquerade: false,
    hostIp: '127.0.0.1',
    mtu: 1400,
    interfacePrefix: 'net',
  });
});

test('options of bridges that ask for something else than the driver does are refused', (t) => {
  const vendor = 'com.docker.network';
  t.notThrows(() =>
    checkBridgeOptions({
      [`${vendor}.bridge.default_bridge`]: 'true',
      [`${vendor}.bridge.gateway_mode_ipv4`]: 'nat',
      [`${vendor}.bridge.inhibit_ipv4`]: 'false',
      [`${vendor}.enable_ipv6`]: 'true',
      'com.example.anything': 'x',
    }),
  );
  for (const [name, value] of [
    ['bridge.gateway_mode_ipv4', 'routed'],
    ['bridge.gateway_mode_ipv6', 'isolated'],
    ['bridge.inhibit_ipv4', 'true'],
    ['bridge.trusted_host_interfaces', 'eth0'],
    ['bridge.later', ''],
    ['driver.later', '1'],
    ['host_ipv4', '10.0.0.1'],
  ] as const) {
    const option = `${vendor}.${name}`;
    const error = throws(t, () => checkBridgeOptions({ [option]: value }), 'invalid-argument');
    t.is(error.message, `invalid option ${option}: "${value}" is not supported by bridges of this engine`);
  }
});

const bad: Readonly<Record<string, readonly string[]>> = {
  'gantry.bridge.name': ['sixteen-bytes-xx', 'a b', 'a/b', '..', 'a"b', 'a*'],
  'com.docker.network.bridge.enable_icc': ['maybe', 'yes', '2'],
  'gantry.bridge.masquerade': ['no'],
  'com.docker.network.bridge.host_binding_ipv4': ['localhost', '::1', '1.2.3'],
  'com.docker.network.driver.mtu': ['x', '0', '-1', '1e3', '70000'],
  'gantry.bridge.interface-prefix': ['fourteen-bytes', 'a b'],
};

for (const [name, values] of Object.entries(bad)) {
  test(`a bad value of ${name} is refused by name and value`, (t) => {
    for (const value of values) {
      const error = throws(t, () => parseBridgeOptions({ [name]: value }), 'invalid-argument');
      t.true(error.message.startsWith(`invalid option ${name}: "${value}" is not`), error.message);
    }
  });
}
