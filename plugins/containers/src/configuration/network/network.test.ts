import { kindOf } from '@gantry/core/errors';
import test from 'ava';
import {
  hostWith,
  lookupOf,
  ownId,
  prepare,
  prepareHost,
  recordWith,
  refusalOf,
} from '../../testing/configuration-fixture.js';

const other = recordWith();
const containers = lookupOf(other);
const joining = { NetworkMode: 'container:other' };
const hostNetwork = { NetworkMode: 'host' };
const linkWords = "can't be used with links. This would result in undefined behavior";

for (const [body, words] of [
  [
    { HostConfig: { NetworkMode: 'container:' } },
    'NetworkMode: invalid container format container:<name|id>: "container:"',
  ],
  [
    { HostConfig: { NetworkMode: 'container' } },
    'NetworkMode: invalid container format container:<name|id>: "container"',
  ],
  [{ HostConfig: { PidMode: 'foo' } }, 'PidMode: invalid PID mode: foo'],
  [{ HostConfig: { PidMode: 'container:nosuch' } }, 'No such container: nosuch'],
  [{ HostConfig: { IpcMode: 'foo' } }, 'IpcMode: invalid IPC mode: foo'],
  [{ HostConfig: { UTSMode: 'foo' } }, 'UTSMode: invalid UTS mode: foo'],
  [{ HostConfig: { UsernsMode: 'foo' } }, 'UsernsMode: invalid user namespace mode: foo'],
  [{ Hostname: 'h', HostConfig: { UTSMode: 'host' } }, 'conflicting options: hostname and the UTS mode'],
  [{ Hostname: 'h', HostConfig: joining }, 'conflicting options: hostname and the network mode'],
  [{ HostConfig: { ...joining, Links: ['other:x'] } }, `conflicting options: container type network ${linkWords}`],
  [{ HostConfig: { ...hostNetwork, Links: ['other:x'] } }, `conflicting options: host type networking ${linkWords}`],
  [{ HostConfig: { ...joining, Dns: ['9.9.9.9'] } }, 'conflicting options: dns and the network mode'],
  [
    { HostConfig: { ...joining, ExtraHosts: ['a:1.2.3.4'] } },
    'conflicting options: custom host-to-IP mapping and the network mode',
  ],
  [
    { MacAddress: '02:42:ac:aa:bb:cc', HostConfig: hostNetwork },
    'conflicting options: mac-address and the network mode',
  ],
  [
    { HostConfig: { ...joining, PublishAllPorts: true } },
    'conflicting options: port publishing and the container type network mode',
  ],
  [
    { ExposedPorts: { '80/tcp': {} }, HostConfig: joining },
    'conflicting options: port exposing and the container type network mode',
  ],
  [
    { HostConfig: joining, NetworkingConfig: { EndpointsConfig: { front: {} } } },
    'container sharing network namespace with another container or host cannot be connected to any other network',
  ],
  [
    { HostConfig: { NetworkMode: 'bridge' }, NetworkingConfig: { EndpointsConfig: { host: {} } } },
    'NetworkingConfig: EndpointsConfig names "host", but HostConfig.NetworkMode is "bridge": name the network in both',
  ],
  [
    { NetworkingConfig: { EndpointsConfig: { host: {} } } },
    'NetworkingConfig: EndpointsConfig names "host", but HostConfig.NetworkMode is "default": name the network in both',
  ],
  [
    { NetworkingConfig: { EndpointsConfig: { 'host-id': {} } } },
    'NetworkingConfig: EndpointsConfig names "host-id", but HostConfig.NetworkMode is "default": name the network in both',
  ],
  [
    { NetworkingConfig: { EndpointsConfig: { 'container:other': {} } } },
    'NetworkingConfig: EndpointsConfig names "container:other", but HostConfig.NetworkMode is "default": name the network in both',
  ],
  [
    { HostConfig: { NetworkMode: 'none' }, NetworkingConfig: { EndpointsConfig: { front: {} } } },
    'NetworkingConfig: EndpointsConfig names "front", but HostConfig.NetworkMode is "none": name the network in both',
  ],
  [
    { HostConfig: { NetworkMode: 'host-id', Links: ['other:x'] } },
    `conflicting options: host type networking ${linkWords}`,
  ],
  [
    { NetworkingConfig: { EndpointsConfig: { front: {}, host: {} } } },
    'NetworkingConfig: EndpointsConfig names "host" beside NetworkMode "default"',
  ],
  [
    { HostConfig: { NetworkMode: 'none' }, NetworkingConfig: { EndpointsConfig: { none: {}, front: {} } } },
    'NetworkingConfig: EndpointsConfig names "front" beside NetworkMode "none"',
  ],
  [
    { NetworkingConfig: { EndpointsConfig: { front: {}, 'front-id': {} } } },
    'NetworkingConfig: EndpointsConfig names "front" twice',
  ],
  [
    { NetworkingConfig: { EndpointsConfig: { bridge: { IPAMConfig: { IPv4Address: '172.17.0.9' } } } } },
    'user specified IP address is supported on user defined networks only',
  ],
  [
    { NetworkingConfig: { EndpointsConfig: { bridge: { Aliases: ['a'] } } } },
    'network-scoped alias is supported only for containers in user defined networks',
  ],
  [{ MacAddress: '02:42:zz' }, 'MacAddress: invalid MAC address: 02:42:zz'],
  [
    { MacAddress: '01:42:ac:aa:bb:cc' },
    'MacAddress: 01:42:ac:aa:bb:cc is an address of a group, which no interface can have',
  ],
  [{ HostConfig: { Links: ['nosuch:x'] } }, 'No such container: nosuch'],
  [{ HostConfig: { Links: ['a:b:c'] } }, 'Links: bad format for links: a:b:c'],
  [{ HostConfig: { Links: ['other:a b'] } }, 'Links: bad format for links: other:a b'],
] as const) {
  test(`refused: ${JSON.stringify(body)}`, (t) => {
    t.is(
      refusalOf(() => prepare(body, { containers })),
      words,
    );
  });
}

test('without a mode a container joins the bridge', (t) => {
  for (const NetworkMode of [undefined, '', 'default']) {
    const { networks, hostConfig } = prepareHost({ ...(NetworkMode !== undefined && { NetworkMode }) });
    t.is(hostConfig.NetworkMode, 'default');
    t.deepEqual(networks, { bridge: { networkId: 'bridge-id' } });
  }
});

test('a mode names a network, by name or id', (t) => {
  for (const NetworkMode of ['front', 'front-id']) {
    t.deepEqual(prepareHost({ NetworkMode }).networks, { front: { networkId: 'front-id' } });
  }
  t.deepEqual(prepareHost({ NetworkMode: 'none' }).networks, { none: { networkId: 'none-id' } });
  t.deepEqual(prepareHost(hostNetwork).networks, { host: { networkId: 'host-id' } });
});

test('an absent container is never reported as a missing image', (t) => {
  for (const wish of [{ VolumesFrom: ['x'] }, { Links: ['x:y'] }, { PidMode: 'container:x' }]) {
    const error = t.throws(() => prepareHost(wish), { message: 'No such container: x' });
    t.is(kindOf(error), 'invalid-argument');
  }
});

test('endpoint settings are kept under the network’s name', (t) => {
  const settings = { IPAMConfig: { IPv4Address: '10.0.0.7' }, Aliases: ['nick'], Links: ['other:x'] };
  for (const key of ['front', 'front-id']) {
    const body = { HostConfig: { NetworkMode: 'front' }, NetworkingConfig: { EndpointsConfig: { [key]: settings } } };
    t.deepEqual(prepare(body).networks, { front: { ...settings, networkId: 'front-id' } });
  }
});

test('a container may join several networks, that of its mode first', (t) => {
  const body = {
    HostConfig: { NetworkMode: 'front' },
    NetworkingConfig: { EndpointsConfig: { bridge: {}, front: { Aliases: ['nick'], GwPriority: 3 } } },
  };
  const { networks, hostConfig } = prepare(body);
  t.deepEqual(Object.entries(networks), [
    ['front', { Aliases: ['nick'], GwPriority: 3, networkId: 'front-id' }],
    ['bridge', { networkId: 'bridge-id' }],
  ]);
  t.is(hostConfig.NetworkMode, 'front');
});

test('the address of the container is that of its first network, where both are given', (t) => {
  const [own, other] = ['02:42:ac:11:00:AA', '02:42:ac:11:00:bb'];
  const body = (MacAddress: string) => ({
    MacAddress: own,
    NetworkingConfig: { EndpointsConfig: { front: { MacAddress } } },
  });
  t.notThrows(() => prepare(body(own.toLowerCase())));
  t.is(
    refusalOf(() => prepare(body(other))),
    `MacAddress: ${own} is not ${other}, the MacAddress of the network "front"`,
  );
});

test('defaults are kept by their names where the client’s version says so', (t) => {
  for (const NetworkMode of [undefined, 'default', 'bridge']) {
    const given = { ...(NetworkMode !== undefined && { NetworkMode }) };
    const { hostConfig } = prepareHost(given, { defaults: { namedDefaults: true } });
    t.like(hostConfig, { NetworkMode: 'bridge', RestartPolicy: { Name: 'no', MaximumRetryCount: 0 } });
  }
  const defaults = { namedDefaults: true };
  t.is(prepare({ NetworkingConfig: { EndpointsConfig: { front: {} } } }, { defaults }).hostConfig.NetworkMode, 'front');
});

test('options of an endpoint are kept, and kernel settings of anything but its interface are refused', (t) => {
  const networksWith = (DriverOpts: Record<string, string>) =>
    prepare({ NetworkingConfig: { EndpointsConfig: { front: { DriverOpts } } } }).networks;
  const sysctls = 'com.docker.network.endpoint.sysctls';
  const options = { 'a.b': '1', [sysctls]: 'net.ipv4.conf.IFNAME.log_martians=1,net.ipv6.conf.ifname.mtu=1400' };
  t.deepEqual(networksWith(options).front?.DriverOpts, options);
  for (const wrong of ['net.ipv4.conf.eth0.log_martians=1', 'net.core.conf.IFNAME.x=1', 'net.ipv4.IFNAME.x=1', '']) {
    const error = t.throws(() => networksWith({ [sysctls]: wrong }), {
      message: new RegExp(
        `^invalid config for network front: invalid endpoint settings:\nunrecognised network interface sysctl '${wrong}'; `,
      ),
    });
    t.is(kindOf(error), 'invalid-argument');
  }
  t.regex(
    refusalOf(() => networksWith({ [sysctls]: 'a=1,net.ipv4.conf.IFNAME.x=1,b=2' })),
    /:\n\* unrecognised network interface sysctl 'a=1'; .+\n\* unrecognised network interface sysctl 'b=2'; /,
  );
});

test('IPC is private where the client’s version says so', (t) => {
  const ipcOf = (wish: object, privateIpc: boolean) =>
    prepareHost(wish, { defaults: { privateIpc } }).hostConfig.IpcMode;
  t.is(ipcOf({}, true), 'private');
  t.is(ipcOf({}, false), 'shareable');
  t.is(ipcOf({ IpcMode: 'shareable' }, true), 'shareable');
});

test('the settings of clients that say default are those of the bridge', (t) => {
  const { networks } = prepare({ NetworkingConfig: { EndpointsConfig: { default: null } } });
  t.deepEqual(networks, { bridge: { networkId: 'bridge-id' } });
});

test('without networking there is only loopback', (t) => {
  t.deepEqual(prepare({ NetworkDisabled: true }).networks, { none: { networkId: 'none-id' } });
});

test('containers that are joined are kept by id', (t) => {
  const { hostConfig, networks, config } = prepareHost(
    { ...joining, PidMode: 'container:other', IpcMode: 'container:other' },
    { containers },
  );
  const joined = `container:${other.id}`;
  t.like(hostConfig, { NetworkMode: joined, PidMode: joined, IpcMode: joined });
  t.deepEqual(networks, {});
  t.like(config, { Hostname: 'other-host', Domainname: 'example.test' });
});

test('only a container that shares its IPC is joined there', (t) => {
  const closed = lookupOf(recordWith({ hostConfig: { IpcMode: 'private' } }));
  t.regex(
    refusalOf(() => prepareHost({ IpcMode: 'container:other' }, { containers: closed })),
    /^cannot join IPC of a container a+: non-shareable IPC/,
  );
});

test('IPC can be joined unless the body has no HostConfig', (t) => {
  t.is(prepare({}).hostConfig.IpcMode, 'private');
  t.is(prepareHost({}).hostConfig.IpcMode, 'shareable');
  t.is(prepareHost({ IpcMode: 'host' }).hostConfig.IpcMode, 'host');
});

test('the host name is the short id, or the host’s own where that is shared', (t) => {
  t.is(prepare({}).config.Hostname, ownId.slice(0, 12));
  t.is(prepareHost(hostNetwork).config.Hostname, 'the-host');
  t.is(prepareHost({ UTSMode: 'host' }).config.Hostname, 'the-host');
  t.is(prepare({ Hostname: 'mine', HostConfig: hostNetwork }).config.Hostname, 'mine');
});

test('links are kept by id, in whatever form they are given', (t) => {
  for (const [text, alias] of [
    ['other:nick', 'nick'],
    ['other', 'other'],
    ['/other:/self/nick', 'nick'],
  ]) {
    t.deepEqual(prepareHost({ Links: [text] }, { containers }).hostConfig.Links, [`${other.id}:${alias}`]);
  }
});

test('published ports are discarded on the host’s network, and it is said', (t) => {
  const body = { HostConfig: { ...hostNetwork, PortBindings: { '80/tcp': [{ HostPort: '80' }] } } };
  t.deepEqual(prepare(body).warnings, ['Published ports are discarded when using host network mode']);
});

test('host names may have the underscores that names of services have', (t) => {
  t.is(prepare({ Hostname: 'stack_web-1.example' }).config.Hostname, 'stack_web-1.example');
});

for (const [body, words] of [
  [{ Hostname: 'bad_host!' }, 'Hostname: invalid hostname format: bad_host!'],
  [{ Hostname: '-a' }, 'Hostname: invalid hostname format: -a'],
  [{ Hostname: 'a..b' }, 'Hostname: invalid hostname format: a..b'],
  [{ Hostname: 'a'.repeat(64) }, `Hostname: invalid hostname format: ${'a'.repeat(64)}`],
  [{ Domainname: 'a\nb' }, 'Domainname: invalid domain name: a\nb'],
  [{ HostConfig: { Dns: ['x'] } }, 'Dns: IP address was not correctly formatted: x'],
  [{ HostConfig: { DnsSearch: ['a b'] } }, 'DnsSearch: a b is not a valid domain'],
  [{ HostConfig: { DnsOptions: [''] } }, 'DnsOptions: invalid option: ""'],
  [{ HostConfig: { ExtraHosts: ['far'] } }, 'ExtraHosts: bad format for add-host: "far"'],
  [{ HostConfig: { ExtraHosts: ['far:zz'] } }, 'ExtraHosts: invalid IP address in add-host: "zz"'],
  [{ HostConfig: { ExtraHosts: ['a\nb:1.2.3.4'] } }, 'ExtraHosts: bad format for add-host: "a\nb:1.2.3.4"'],
] as const) {
  test(`not a name: ${JSON.stringify(body)}`, (t) => {
    t.is(
      refusalOf(() => prepare(body)),
      words,
    );
  });
}

test('names and addresses are kept as they are given', (t) => {
  for (const Hostname of ['my-host2', 'a.b.c', '9', 'A']) t.is(prepare({ Hostname }).config.Hostname, Hostname);
  const wish = {
    Dns: ['9.9.9.9', 'fe80::1'],
    DnsSearch: ['a.test', '.'],
    DnsOptions: ['ndots:3'],
    ExtraHosts: ['far:10.1.2.3', 'six:fe80::1', 'up:host-gateway'],
  };
  t.like(prepareHost(wish, { host: hostWith() }).hostConfig, wish);
});

test('an absent network is reported by the start', (t) => {
  t.deepEqual(prepare({ HostConfig: { NetworkMode: 'nosuch' } }).networks, { nosuch: {} });
});

test('the network of NetworkingConfig is shown as the mode, and may be named in either way', (t) => {
  const chosen = prepare({ NetworkingConfig: { EndpointsConfig: { front: {} } } });
  t.is(chosen.hostConfig.NetworkMode, 'front');
  t.deepEqual(Object.keys(chosen.networks), ['front']);
  for (const [mode, endpoint] of [
    ['front', 'front-id'],
    ['front-id', 'front'],
    ['default', 'bridge'],
    ['bridge', 'default'],
    ['absent', 'absent'],
  ] as const) {
    const body = { HostConfig: { NetworkMode: mode }, NetworkingConfig: { EndpointsConfig: { [endpoint]: {} } } };
    t.notThrows(() => prepare(body), `${mode} and ${endpoint}`);
  }
});

test('the id of the host network is the mode host', (t) => {
  t.is(prepareHost({ NetworkMode: 'host-id' }).hostConfig.NetworkMode, 'host');
});
