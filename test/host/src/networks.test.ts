import { startDaemon } from '@gantry/test-nodes';
import test from 'ava';
import type Docker from 'dockerode';
import { runIn, startContainer } from './testing/run-in.js';

const serving = (word: string) => [
  'sh',
  '-c',
  `mkdir /www; echo ${word} > /www/index.html; exec httpd -f -p 80 -h /www`,
];
/** Asks for a page, again while the server starts; a static busybox has no wget that knows names. */
const fetching = (host: string, port = '80', tries = 8): string =>
  `for i in $(seq ${tries}); do printf 'GET / HTTP/1.0\r\n\r\n' | nc -w 1 ${host} ${port} 2>/dev/null | tail -n 1 | grep . && exit 0; sleep 0.2; done; exit 1`;
/** The answer to a question for the address of `target` by TCP: its four bytes. */
const askByTcp = `printf '\\000\\030\\000\\007\\001\\000\\000\\001\\000\\000\\000\\000\\000\\000\\006target\\000\\000\\001\\000\\001' \
| nc -w 2 127.0.0.11 53 | tail -c 4 | hexdump -e '3/1 "%d." "%d"'`;

test('on a user-defined network a container is resolved by all its names, also after the daemon was killed', async (t) => {
  const daemon = await startDaemon(t);
  const { client } = daemon;
  await client.createNetwork({ Name: 'front' });
  const target = await startContainer(client, {
    name: 'target',
    Hostname: 'hosted',
    HostConfig: { NetworkMode: 'front', DnsOptions: ['timeout:1'], DnsSearch: ['example.test'] },
    NetworkingConfig: { EndpointsConfig: { front: { Aliases: ['nick'] } } },
  });
  const asker = await startContainer(client, {
    HostConfig: {
      NetworkMode: 'front',
      Links: ['target:peer'],
    },
  });
  const address = await addressOf(target, 'front');
  const findsAll = async (): Promise<void> => {
    for (const name of ['target', 'TARGET', 'nick', 'peer', 'target.front', 'hosted', target.id.slice(0, 12)]) {
      const { code, output } = await runIn(asker, `nslookup ${name}`);
      t.is(code, 0, output);
      t.true(output.includes(`Address: ${address}\n`), output);
    }
    t.regex((await runIn(asker, `nslookup ${address}`)).output, /name = target\.front/);
    t.is((await runIn(asker, askByTcp)).output, address);
  };
  await findsAll();
  const { output } = await runIn(target, 'cat /etc/resolv.conf');
  t.is(output, 'search example.test\nnameserver 127.0.0.11\noptions timeout:1 ndots:0\n');
  await daemon.crash();
  await daemon.restart();
  await findsAll();
});

test('a running container that joins and leaves networks resolves their containers and keeps a default route', async (t) => {
  const { client } = await startDaemon(t);
  const events: { Action: string; Type: string; Actor: { Attributes: Record<string, string> } }[] = [];
  const stream = await client.getEvents({ filters: JSON.stringify({ type: ['network'] }) });
  stream.on('data', (line: Buffer) => {
    for (const text of line.toString().split('\n')) if (text !== '') events.push(JSON.parse(text));
  });
  t.teardown(() => (stream as unknown as { destroy(): void }).destroy());
  await client.createNetwork({ Name: 'back', IPAM: { Config: [{ Subnet: '10.244.7.0/24' }] } } as never);
  const db = await startContainer(client, { name: 'db', HostConfig: { NetworkMode: 'back' } });
  const web = await startContainer(client, { name: 'web', Hostname: 'webhost' });
  const back = client.getNetwork('back');
  const EndpointConfig = { IPAMConfig: { IPv4Address: '10.244.7.77' }, Aliases: ['www'], Links: ['db:store'] };
  await back.connect({ Container: web.id, EndpointConfig } as never);
  t.regex((await runIn(web, 'cat /etc/hosts')).output, /^10\.244\.7\.77\twebhost$/m);
  t.regex((await runIn(web, 'cat /etc/resolv.conf')).output, /^nameserver 127\.0\.0\.11$/m);
  t.is((await runIn(web, 'ping -c1 -W2 store')).code, 0);
  t.regex((await runIn(db, 'nslookup www')).output, /Address: 10\.244\.7\.77/);
  await client.getNetwork('bridge').disconnect({ Container: web.id });
  t.regex((await runIn(web, 'ip route')).output, /^default via 10\.244\.7\.1 /m);
  await client.getNetwork('bridge').connect({ Container: web.id });
  await back.disconnect({ Container: web.id });
  t.regex((await runIn(web, 'ip route')).output, /^default via 1/m);
  t.notRegex((await runIn(web, 'cat /etc/hosts')).output, /10\.244\.7\.77/);
  t.not((await runIn(db, 'nslookup www')).code, 0);
  const ownEvents = events.filter(({ Actor }) => Actor.Attributes.name === 'back');
  t.deepEqual(
    ownEvents.map(({ Action }) => Action),
    ['create', 'connect', 'connect', 'disconnect'],
  );
  t.deepEqual(ownEvents.at(-1)?.Actor.Attributes, { container: web.id, name: 'back', type: 'bridge' });
});

test('a linked container is resolved to its new address after a restart', async (t) => {
  const { client } = await startDaemon(t);
  const db = await startContainer(client, { name: 'db' });
  const web = await startContainer(client, { name: 'web', HostConfig: { Links: ['db:store'] } });
  const linked = async (): Promise<string> =>
    /^(\S+)\tstore /m.exec((await runIn(web, 'cat /etc/hosts')).output)?.[1] ?? '';
  const before = await linked();
  t.is(before, await addressOf(db));
  await db.stop({ t: 0 });
  await startContainer(client, { name: 'another' });
  await db.start();
  t.not(await linked(), before);
  t.is(await linked(), await addressOf(db));
});

test.serial(
  'links are names, variables of every process, and only where both are on the default network',
  async (t) => {
    const { client } = await startDaemon(t);
    await client.createNetwork({ Name: 'apart' });
    await startContainer(client, { name: 'far', HostConfig: { NetworkMode: 'apart' } });
    const db = await startContainer(client, { name: 'db', Env: ['A=b'], ExposedPorts: { '80/tcp': {} } });
    const web = await startContainer(client, { name: 'web', HostConfig: { Links: ['db:store'] } });
    const listed = await client.listContainers({ filters: JSON.stringify({ id: [db.id] }) });
    t.deepEqual(listed[0]?.Names, ['/db', '/web/store']);
    const { output } = await runIn(web, 'env');
    for (const line of ['STORE_NAME=/web/store', 'STORE_ENV_A=b', `STORE_PORT=tcp://${await addressOf(db)}:80`]) {
      t.true(output.includes(`${line}\n`), output);
    }
    await t.throwsAsync(startContainer(client, { HostConfig: { Links: ['far:x'] } }), {
      message: /Cannot link to \/far, as it does not belong to the default network/,
    });
  },
);

test.serial('an endpoint gets its requested addresses, and invalid ones are refused by name', async (t) => {
  const { client } = await startDaemon(t);
  await client.createNetwork({ Name: 'plain', IPAM: { Config: [{ Subnet: '10.244.9.0/24' }] } } as never);
  const on = (network: string, IPAMConfig: object) => ({
    HostConfig: { NetworkMode: network },
    NetworkingConfig: { EndpointsConfig: { [network]: { IPAMConfig } } },
  });
  const LinkLocalIPs = ['169.254.8.8', 'fe80::77'];
  const one = await startContainer(client, on('plain', { IPv4Address: '10.244.9.7', LinkLocalIPs }));
  const { output } = await runIn(one, 'ip -o addr show dev eth0');
  for (const address of ['10.244.9.7/24', '169.254.8.8/16', 'fe80::77/64']) t.true(output.includes(address), output);
  for (const [wish, words] of [
    [{ IPv4Address: 'x' }, /invalid IPv4 address: x/],
    [{ IPv6Address: 'x' }, /invalid IPv6 address: x/],
    [{ LinkLocalIPs: ['10.0.0.1'] }, /invalid link local IP address: 10\.0\.0\.1/],
    [{ IPv6Address: 'fd00::7' }, /network plain has no IPv6 subnet for address fd00::7/],
    [{ IPv4Address: '10.244.9.7' }, /Address already in use/],
  ] as const) {
    await t.throwsAsync(startContainer(client, on('plain', wish)), { message: words });
  }
  const other = await startContainer(client);
  const EndpointConfig = { IPAMConfig: { IPv4Address: '10.244.9.7' } };
  const connect: (options: object) => Promise<unknown> = (options) => client.getNetwork('plain').connect(options);
  await t.throwsAsync(connect({ Container: other.id, EndpointConfig }), { message: /403.*Address already in use/s });
});

test('containers without inter-container communication reach only linked ones, and none reaches another network', async (t) => {
  const { client } = await startDaemon(t);
  await client.createNetwork({ Name: 'closed', Options: { 'com.docker.network.bridge.enable_icc': 'false' } });
  const HostConfig = { NetworkMode: 'closed' };
  const web = await startContainer(client, {
    name: 'web',
    HostConfig,
    Cmd: serving('linked'),
    ExposedPorts: { '80/tcp': {} },
  });
  const linked = await startContainer(client, { HostConfig: { ...HostConfig, Links: ['web:web'] } });
  const outsider = await startContainer(client, { HostConfig });
  const elsewhere = await startContainer(client);
  t.is((await runIn(linked, fetching('web'))).output, 'linked\n');
  const address = await addressOf(web, 'closed');
  for (const other of [outsider, elsewhere]) t.not((await runIn(other, fetching(address, '80', 1))).code, 0);
  await web.restart({ t: 0 });
  t.is((await runIn(linked, fetching('web'))).output, 'linked\n');
});

test('a published port is reachable from all addresses it is published on, over both families', async (t) => {
  const { client } = await startDaemon(t);
  const Config = [{ Subnet: 'fd44:7::/64', Gateway: 'fd44:7::1' }, { Subnet: '10.244.8.0/24' }];
  await client.createNetwork({ Name: 'six', EnableIPv6: true, IPAM: { Config } } as never);
  const web = await startContainer(client, {
    name: 'web',
    Cmd: serving('published'),
    ExposedPorts: { '80/tcp': {} },
    HostConfig: {
      NetworkMode: 'six',
      PortBindings: { '80/tcp': [{ HostPort: '' }, { HostIp: '127.0.0.1', HostPort: '' }] },
    },
    NetworkingConfig: { EndpointsConfig: { six: { IPAMConfig: { IPv6Address: 'fd44:7::77' } } } },
  } as never);
  const other = await startContainer(client);
  const bindings = (await web.inspect()).NetworkSettings.Ports['80/tcp'] as { HostIp: string; HostPort: string }[];
  const open = bindings.find(({ HostIp }) => HostIp === '0.0.0.0')?.HostPort;
  const local = bindings.find(({ HostIp }) => HostIp === '127.0.0.1')?.HostPort;
  const gateway = (await other.inspect()).NetworkSettings.Networks.bridge?.Gateway ?? '';
  for (const host of ['127.0.0.1', '[::1]', '10.244.8.1', '[fd44:7::1]', gateway]) {
    t.is(await (await fetch(`http://${host}:${open}/`)).text(), 'published\n', host);
  }
  t.is(await (await fetch(`http://127.0.0.1:${local}/`)).text(), 'published\n');
  t.is((await runIn(other, fetching(gateway, open))).output, 'published\n');
  t.is((await runIn(web, fetching('10.244.8.1', open))).output, 'published\n');
  t.is((await runIn(web, fetching('fd44:7::77'))).output, 'published\n');
  t.not((await runIn(other, fetching(gateway, local, 1))).code, 0);
  await t.throwsAsync(fetch(`http://10.244.8.1:${local}/`, { signal: AbortSignal.timeout(1000) }));
});

test('a macvlan network works like other networks', async (t) => {
  const { client } = await startDaemon(t);
  await client.createNetwork({ Name: 'wide', Driver: 'macvlan', Internal: true });
  await startContainer(client, { name: 'one', HostConfig: { NetworkMode: 'wide' } });
  const other = await startContainer(client, { HostConfig: { NetworkMode: 'wide' } });
  const { code, output } = await runIn(other, 'ping -c1 -W2 one');
  t.is(code, 0, output);
  t.is((await client.getNetwork('wide').inspect()).Driver, 'macvlan');
});

const addressOf = async (container: Docker.Container, network = 'bridge'): Promise<string> =>
  (await container.inspect()).NetworkSettings.Networks[network]?.IPAddress ?? '';
