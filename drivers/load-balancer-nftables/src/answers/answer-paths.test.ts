import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDriver } from '@gantry/conformance';
import type { BalancedPort, LoadBalancerDriver, Sandbox } from '@gantry/core/contracts';
import { kernelNamespaces } from '@gantry/lib-linux/namespaces';
import { kernelNetlink, kernelSysctl } from '@gantry/lib-linux/netlink';
import test, { type ExecutionContext } from 'ava';
import driver from '../index.js';

const run = promisify(execFile);

const directory = mkdtempSync(join(tmpdir(), 'gantry-answers-'));
let created = 0;
const paths: string[] = [];
test.after.always(() => {
  for (const path of paths) kernelNamespaces.removeNetwork(path);
  rmSync(directory, { recursive: true });
});

function namespace(name: string): Sandbox {
  created += 1;
  const path = join(directory, `${name}${created}`);
  kernelNamespaces.createNetwork(path);
  paths.push(path);
  kernelNetlink.use(path, (inside) => inside.setLink('lo', { up: true }));
  return { id: name, path };
}

/** Connects a namespace with a bridge of the switch. */
function plug({ path }: Sandbox, name: string, hub: Sandbox, bridge: string, address: string, mtu = 1500): string {
  created += 1;
  const macAddress = `02:42:${address
    .split('.')
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join(':')}`;
  const namespaceFd = kernelNamespaces.open(path);
  const port = `v${created}`;
  kernelNetlink.use(hub.path, (inside) => {
    if (inside.link(bridge) === undefined) inside.addLink({ kind: 'bridge', name: bridge });
    inside.setLink(bridge, { up: true });
    inside.addLink({ kind: 'veth', name: port, mtu, peer: { name, macAddress, mtu, namespaceFd } });
    inside.setLink(port, { master: bridge, up: true });
  });
  kernelNetlink.use(path, (inside) => {
    inside.addAddress(name, `${address}/24`);
    inside.setLink(name, { up: true });
  });
  return macAddress;
}

const macOf = (last: number) => `02:42:0a:09:01:0${last}`;
const backend = '10.9.1.9';
const answers = (...lasts: readonly number[]) => ({
  address: backend,
  subnets: ['10.9.1.0/24'],
  meshes: lasts.map((last) => ({ address: `10.9.1.${last}`, macAddress: macOf(last) })),
});

/** Says to each client which address and port it has, over TCP and UDP; the largest segment, too. */
const server = `import socket, threading
t = socket.socket(); t.setsockopt(1, 2, 1); t.bind(('0.0.0.0', 80)); t.listen(64)
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); u.bind(('0.0.0.0', 53))
def connected(c, a):
  c.sendall(('%s %d\\n' % a).encode())
  while c.recv(1): c.sendall(b'x' * 100000 + b'\\n')
def tcp():
  while 1:
    c, a = t.accept(); threading.Thread(target=connected, args=(c, a), daemon=True).start()
threading.Thread(target=tcp, daemon=True).start()
print('ready', flush=True)
while 1:
  d, a = u.recvfrom(100); u.sendto(('%s %d' % a).encode(), a)`;

interface Cluster {
  readonly drivers: readonly LoadBalancerDriver[];
  readonly hosts: readonly Sandbox[];
  readonly meshes: readonly Sandbox[];
  readonly task: Sandbox;
  readonly client: Sandbox;
  readonly hub: Sandbox;
  /** The answers of programs in the namespace of the client. */
  ask(script: string): Promise<string>;
}

/**
 * Two meshes on a network with one backend, which has a gateway network, too. A mesh is made by the driver in a host of
 * its own only in the test of ports; here its table stands for it.
 */
async function cluster(
  t: ExecutionContext,
): Promise<Omit<Cluster, 'drivers' | 'hosts'> & { driver: LoadBalancerDriver }> {
  const [hub, client, task] = [namespace('hub'), namespace('client'), namespace('task')];
  plug(client, 'eth0', hub, 'outside', '192.0.2.1');
  plug(task, 'eth0', hub, 'ingress', backend, 1450);
  plug(task, 'eth1', hub, 'gateway', '172.18.0.3');
  kernelNetlink.use(task.path, (inside) => inside.addRoute({ destination: 'default', gateway: '172.18.0.1' }));
  const meshes = [2, 3].map((last) => {
    const mesh = namespace('mesh');
    plug(mesh, 'eth0', hub, 'ingress', `10.9.1.${last}`, 1450);
    plug(mesh, 'host0', hub, 'outside', `192.0.2.${last}`);
    kernelSysctl.write('net/ipv4/ip_forward', 1, mesh.path);
    return mesh;
  });
  kernelSysctl.write('net/ipv4/conf/all/rp_filter', 1, task.path);
  const opened = await openDriver(driver);
  const child = execFile('nsenter', [`--net=${task.path}`, 'python3', '-c', server]);
  t.teardown(async () => {
    child.kill();
    await opened.release();
  });
  await new Promise<void>((resolve) => child.stdout?.once('data', () => resolve()));
  const ask = async (script: string): Promise<string> => {
    const program = `import socket
def tcp(node, port=0, timeout=4):
  s = socket.socket(); s.setsockopt(1, 2, 1); s.settimeout(timeout); s.bind(('192.0.2.1', port)); s.connect((node, 8080)); return s
def line(s):
  text = b''
  while not text.endswith(b'\\n'): text += s.recv(100000)
  return text.decode().strip()
def udp(node, port=0):
  s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.setsockopt(1, 2, 1); s.setsockopt(1, 15, 1); s.settimeout(4)
  s.bind(('192.0.2.1', port)); s.connect((node, 8053)); return s
def said(s):
  s.send(b'?'); return s.recv(100).decode()
${script}`;
    const { stdout } = await run('nsenter', [`--net=${client.path}`, 'python3', '-c', program]);
    return stdout.trim();
  };
  return { driver: opened.driver, meshes, task, client, hub, ask };
}

const ports: readonly BalancedPort[] = [
  { protocol: 'tcp', port: 8080, targetPort: 80, backends: [backend], transparent: [backend] },
  { protocol: 'udp', port: 8053, targetPort: 53, backends: [backend], transparent: [backend] },
];

/** The table of a mesh, without the host before it. */
async function forward({ path }: Sandbox, list: readonly BalancedPort[] = ports): Promise<void> {
  const { meshTable } = await import('../mesh/mesh-table.js');
  await run('nsenter', [`--net=${path}`, 'nft', meshTable(list, ['10.9.1.0/24'])]);
}

test.serial('a backend sees the client of each mesh, over TCP and UDP, and answers through that mesh', async (t) => {
  const { ask, driver, meshes, task } = await cluster(t);
  for (const mesh of meshes) await forward(mesh);
  await driver.answerThrough?.(task, answers(2, 3));
  const said = await ask(`for node in ('192.0.2.2', '192.0.2.3'):
  s = tcp(node); print(line(s).split()[0]); s.send(b'?'); print(len(line(s)), s.getsockopt(6, 2)); print(said(udp(node)).split()[0])`);
  const each = ['192.0.2.1', '100000 1398', '192.0.2.1'];
  t.deepEqual(said.split('\n'), [...each, ...each], 'the size of segments is that of the network of the mesh');
});

test.serial('one source port of a client through two meshes makes two connections', async (t) => {
  const { ask, driver, meshes, task } = await cluster(t);
  for (const mesh of meshes) await forward(mesh);
  await driver.answerThrough?.(task, answers(2, 3));
  const said = await ask(`for open in (tcp, udp):
  a = open('192.0.2.2', 5000); b = open('192.0.2.3', 5000)
  for s in (a, b): print(line(s) if open is tcp else said(s))
  if open is tcp:
    for s in (a, b, a): s.send(b'?'); print(len(line(s)))
  else:
    for s in (a, b, a): print(said(s))`);
  const [one, other, ...rest] = said.split('\n');
  t.is(one, '192.0.2.1 5000');
  t.regex(other ?? '', /^192\.0\.2\.1 (?!5000$)/, 'the later one has another port');
  t.deepEqual(rest.slice(0, 3), ['100000', '100000', '100000']);
  t.is(rest[3], '192.0.2.1 5000');
  t.deepEqual(rest.slice(5), [rest[3], rest[4], rest[3]], 'UDP flows stay apart');
});

test.serial(
  'open connections and flows stay when the meshes change, and unknown meshes are not answered',
  async (t) => {
    const { ask, driver, meshes, task } = await cluster(t);
    for (const mesh of meshes) await forward(mesh);
    await driver.answerThrough?.(task, answers(2));
    t.is(
      await ask(`try: tcp('192.0.2.3', 0, 0.5)
except TimeoutError: print('silent')`),
      'silent',
    );
    const asked = ask(`import sys, time
s = tcp('192.0.2.2'); print(line(s).split()[0]); u = udp('192.0.2.2'); print(said(u).split()[0])
for i in range(20): time.sleep(0.05); s.send(b'?'); line(s); said(u)
print('open')`);
    for (const lasts of [[2, 3], [2], [3, 2], [2, 3], [2]]) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      await driver.answerThrough?.(task, answers(...lasts));
    }
    t.is(await asked, '192.0.2.1\n192.0.2.1\nopen');
    await driver.answerThrough?.(task, answers(2, 3));
    t.is(await ask(`print(line(tcp('192.0.2.3')).split()[0])`), '192.0.2.1');
  },
);

test.serial(
  'a mesh masks the clients of backends that do not answer through it, and those of its own network',
  async (t) => {
    const { ask, client, driver, hub, meshes, task } = await cluster(t);
    const [mesh] = meshes as [Sandbox];
    await forward(
      mesh,
      ports.map(({ transparent, ...port }) => port),
    );
    t.is((await ask(`print(line(tcp('192.0.2.2')))`)).split(' ')[0], '10.9.1.2');
    await driver.answerThrough?.(task, answers(2));
    t.is(
      (await ask(`print(line(tcp('192.0.2.2')))`)).split(' ')[0],
      '10.9.1.2',
      'both ways work with answers through it',
    );
    await forward(mesh);
    t.is((await ask(`print(line(tcp('192.0.2.2')))`)).split(' ')[0], '192.0.2.1');
    kernelNetlink.use(client.path, (inside) => inside.addAddress('eth0', '10.9.1.77/32'));
    kernelNetlink.use(mesh.path, (inside) => inside.addRoute({ destination: '10.9.1.77/32', link: 'host0' }));
    t.truthy(hub);
    t.is(
      (
        await ask(
          `s = socket.socket(); s.settimeout(4); s.bind(('10.9.1.77', 0)); s.connect(('192.0.2.2', 8080)); print(line(s))`,
        )
      ).split(' ')[0],
      '10.9.1.2',
    );
  },
);

test.serial(
  'packets of SCTP have the address of the client, and those of the answer that of the backend',
  async (t) => {
    const { client, driver, meshes, task } = await cluster(t);
    for (const mesh of meshes) {
      await forward(mesh, [
        { protocol: 'sctp', port: 8132, targetPort: 9000, backends: [backend], transparent: [backend] },
      ]);
    }
    await driver.answerThrough?.(task, answers(2, 3));
    const crc = `def crc32c(data):
  crc = 0xffffffff
  for byte in data:
    crc ^= byte
    for _ in range(8): crc = (crc >> 1) ^ 0x82f63b78 if crc & 1 else crc >> 1
  return crc ^ 0xffffffff
import socket, struct
def packet(source, target, tag, chunk):
  head = struct.pack('!HHI', source, target, tag)
  return head + struct.pack('<I', crc32c(head + bytes(4) + chunk)) + chunk
def init(kind): return struct.pack('!BBHIIHHI', kind, 0, 20, 7, 65536, 1, 1, 1)
`;
    // Answers from the address of its default route, as an association may.
    const answering = execFile('nsenter', [
      `--net=${task.path}`,
      'python3',
      '-c',
      `${crc}s = socket.socket(socket.AF_INET, socket.SOCK_RAW, 132); s.settimeout(15); print('ready', flush=True)
d, a = s.recvfrom(2000); o = socket.socket(socket.AF_INET, socket.SOCK_RAW, 132); o.bind(('172.18.0.3', 0))
o.sendto(packet(9000, struct.unpack('!H', d[20:22])[0], 7, init(2)), (a[0], 0)); print(a[0], flush=True)`,
    ]);
    let seen = '';
    answering.stdout?.on('data', (text: string) => {
      seen += text;
    });
    await new Promise<void>((resolve) => answering.stdout?.once('data', () => resolve()));
    const { stdout } = await run('nsenter', [
      `--net=${client.path}`,
      'python3',
      '-c',
      `${crc}s = socket.socket(socket.AF_INET, socket.SOCK_RAW, 132); s.settimeout(5)
s.sendto(packet(40000, 8132, 0, init(1)), ('192.0.2.3', 0))
d, a = s.recvfrom(2000); print(a[0], struct.unpack('!H', d[20:22])[0], d[32])`,
    ]);
    t.is(stdout.trim(), '192.0.2.3 8132 2');
    t.is(seen.split('\n')[1], '192.0.2.1');
  },
);

test.serial('removed answers leave nothing, nor does the probe', async (t) => {
  const { driver, task } = await cluster(t);
  const state = async (): Promise<string> => {
    const inside = (...command: string[]) => run('nsenter', [`--net=${task.path}`, ...command]);
    const parts = await Promise.all([
      inside('nft', 'list', 'ruleset'),
      inside('ip', 'rule'),
      // The kernel adds addresses and routes of IPv6 some time after a link is up.
      inside('ip', '-4', 'route', 'show', 'table', 'all'),
      inside('ip', '-4', 'neigh', 'show', 'nud', 'permanent'),
      inside('sysctl', 'net.ipv4.tcp_fwmark_accept', 'net.ipv4.conf.eth0.src_valid_mark'),
    ]);
    return parts.map(({ stdout }) => stdout).join('');
  };
  const before = await state();
  t.is(await driver.clientAddressObstacle?.(), undefined, 'this kernel can');
  await driver.answerThrough?.(task, answers(2, 3));
  t.not(await state(), before);
  await driver.answerThrough?.(task, undefined);
  t.is(await state(), before);
  await t.throwsAsync(driver.answerThrough?.(task, { ...answers(2), address: '10.9.1.8' }) ?? Promise.resolve(), {
    message: /no interface with the address 10\.9\.1\.8/,
  });
});
