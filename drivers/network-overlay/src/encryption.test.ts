import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDriver, rejects, throws, withService } from '@gantry/conformance';
import type { NetworkSpec, TunnelKey } from '@gantry/core/contracts';
import { LinuxError } from '@gantry/lib-linux/errors';
import { Ipsec, kernelIpsec, type ProtectionPolicy, type SecurityAssociation } from '@gantry/lib-linux/ipsec';
import { kernelNamespaces } from '@gantry/lib-linux/namespaces';
import { kernelNetlink } from '@gantry/lib-linux/netlink';
import netns from '@gantry/sandbox-netns';
import test, { type ExecutionContext } from 'ava';
import { tunnelAssociations } from './encryption/tunnel-associations.js';
import driver from './index.js';

const run = promisify(execFile);
const inside = async (path: string, ...command: string[]): Promise<string> =>
  (await run('nsenter', [`--net=${path}`, ...command])).stdout;

const here = '10.98.1.1';
const there = '10.98.1.2';
const port = 4790;
const theirRequestId = 77;

kernelNamespaces.leaveNetwork();

/** What the kernel lacks; undefined where the tests can run. The emulated hosts have it. */
function lackingIpsec(): string | undefined {
  try {
    kernelIpsec.probe();
    return undefined;
  } catch (error) {
    return String(error);
  }
}
const whereEncrypted = lackingIpsec() === undefined ? test.serial : test.skip;

const key = (id: string, sends = true): TunnelKey => ({ id, secret: Buffer.alloc(32, id).toString('base64'), sends });

/** Another host, connected with this one: its namespace. */
function otherHost(t: ExecutionContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'gantry-encryption-'));
  const path = join(directory, 'other-host');
  kernelNamespaces.createNetwork(path);
  const namespaceFd = kernelNamespaces.open(path);
  kernelNetlink.use(undefined, (socket) => {
    socket.addLink({ kind: 'veth', name: 'up0', peer: { name: 'up0', namespaceFd } });
  });
  for (const [namespace, address] of [
    [undefined, here],
    [path, there],
  ] as const) {
    kernelNetlink.use(namespace, (socket) => {
      socket.setLink('lo', { up: true });
      socket.setLink('up0', { up: true });
      socket.addAddress('up0', `${address}/24`);
    });
  }
  t.teardown(() => {
    kernelNetlink.use(undefined, (socket) => socket.deleteLink('up0'));
    kernelNamespaces.removeNetwork(path);
    rmSync(directory, { recursive: true });
  });
  return path;
}

/** The keys of the other host. */
function useKeysThere(path: string, keys: readonly TunnelKey[]): void {
  for (const present of kernelIpsec.associations(path)) kernelIpsec.deleteAssociation(present, path);
  const wanted = tunnelAssociations({ address: there, nodes: [here], keys, requestId: theirRequestId });
  for (const each of wanted) kernelIpsec.addAssociation(each, path);
}

function setPoliciesThere(path: string): void {
  const common = { family: 'ipv4', destinationPort: port, requestId: theirRequestId } as const;
  kernelIpsec.setPolicy({ direction: 'in', destination: there, ...common }, path);
  kernelIpsec.setPolicy({ direction: 'out', source: there, ...common }, path);
}

/** Counts what arrives at the other host by its kind. */
async function countArrivals(path: string): Promise<() => Promise<Readonly<Record<string, number>>>> {
  const rules = `table netdev seen {
    chain arrivals {
      type filter hook ingress device "up0" priority 0; policy accept;
      ip protocol esp counter
      ip protocol udp counter
    }
  }`;
  await inside(path, 'sh', '-c', `echo '${rules}' | nft -f -`);
  return async () => {
    const shown = await inside(path, 'nft', 'list', 'table', 'netdev', 'seen');
    const count = (protocol: string): number =>
      Number(new RegExp(`protocol ${protocol} counter packets (\\d+)`).exec(shown)?.[1]);
    return { esp: count('esp'), udp: count('udp') };
  };
}

async function start(t: ExecutionContext) {
  const other = otherHost(t);
  const sandboxes = await openDriver(netns);
  const opened = await openDriver(driver, { config: { checkSeconds: 3600 } });
  const spec: NetworkSpec = {
    id: 'secret',
    name: 'secret',
    options: { encrypted: '' },
    internal: false,
    ipv6: false,
    pools: [{ subnet: '10.97.1.0/24', gateway: '10.97.1.1/24' }],
    tunnel: { id: 6001, port: port - 1, address: here },
  };
  opened.driver.validate(spec);
  await opened.driver.createNetwork(spec);
  const sandbox = await sandboxes.driver.create('box');
  const endpointId = 'endpoint';
  const request = {
    ...{ networkId: spec.id, endpointId, sandbox, ipv4: '10.97.1.5/24', interfaceName: 'eth0' },
    ...{ defaultRoute: false, ports: [] },
  };
  const { macAddress } = await opened.driver.join(request);
  const theirs = { address: '10.97.1.200', macAddress: '02:42:0a:61:01:c8' };
  kernelNetlink.use(other, (socket) => {
    const settings = { id: 6001, port, local: there, learning: false, mtu: 1416 };
    socket.addLink({ kind: 'vxlan', name: 'vx', ...settings, macAddress: theirs.macAddress });
    socket.addAddress('vx', `${theirs.address}/24`);
    socket.setLink('vx', { up: true });
    const link = socket.link('vx')?.index ?? 'vx';
    socket.addNeighbour({ link, address: '10.97.1.5', macAddress });
    socket.addNeighbour({ link, table: 'bridge', address: here, macAddress });
  });
  const release = async (): Promise<void> => {
    await opened.driver.leave(spec.id, endpointId);
    await opened.driver.removeNetwork(spec.id);
  };
  t.teardown(async () => {
    await release();
    await opened.release();
    await sandboxes.driver.remove('box');
    await sandboxes.release();
  });
  await opened.driver.peers?.(spec.id, [{ ...theirs, node: there }], 1);
  const ping = (...options: string[]): Promise<boolean> =>
    inside(sandbox.path, 'busybox', 'ping', '-c', '1', '-W', '2', ...options, theirs.address).then(
      () => true,
      () => false,
    );
  const useKeys = async (...keys: readonly TunnelKey[]): Promise<void> => opened.driver.useKeys?.(keys);
  return { opened, other, ping, release, spec, useKeys, request, macAddress };
}

whereEncrypted('packets of an encrypted network cross the wire in ESP only, and none without a key', async (t) => {
  const { other, ping, useKeys, release } = await start(t);
  const arrivals = await countArrivals(other);
  t.false(await ping(), 'no key');
  t.deepEqual(await arrivals(), { esp: 0, udp: 0 }, 'nothing is sent without a key');
  await useKeys(key('a'));
  useKeysThere(other, [key('a')]);
  setPoliciesThere(other);
  t.true(await ping());
  t.true(await ping('-s', '1388'), 'a packet of full size');
  const { esp = 0, udp } = await arrivals();
  t.true(esp >= 2, `${esp} packets of ESP`);
  t.is(udp, 0, 'nothing in the clear');
  await useKeys(key('b'), key('a', false));
  t.false(await ping(), 'the other host does not have the new key yet');
  useKeysThere(other, [key('b'), key('a', false)]);
  t.true(await ping());
  await release();
  t.deepEqual(kernelIpsec.associations(), []);
  t.deepEqual(kernelIpsec.policies(), []);
});

whereEncrypted('packets in the clear are dropped', async (t) => {
  const { other, ping, useKeys } = await start(t);
  await useKeys(key('a'));
  useKeysThere(other, [key('a')]);
  t.false(await ping(), 'what the other host answers without a policy is not received');
  setPoliciesThere(other);
  t.true(await ping());
});

whereEncrypted('policies and keys outlive a killed daemon, and are repaired', async (t) => {
  const { macAddress, opened, other, ping, request, spec, useKeys } = await start(t);
  await useKeys(key('a'));
  useKeysThere(other, [key('a')]);
  setPoliciesThere(other);
  const policies = kernelIpsec.policies();
  t.is(policies.length, 2);
  const again = await opened.reopen({ crash: true });
  t.true(await ping());
  for (const policy of policies) kernelIpsec.deletePolicy(policy);
  await again.driver.restore([spec], [{ request, joined: { macAddress, ports: [] } }]);
  t.deepEqual(kernelIpsec.policies(), policies);
  t.true(await ping(), 'the keys stay until the engine names them');
  await again.driver.restore([], []);
  t.deepEqual(kernelIpsec.policies(), []);
  t.deepEqual(kernelIpsec.associations(), []);
  t.deepEqual(readdirSync(join(again.dirs.state, 'encrypted-ports')), []);
  await again.release();
});

/** An IPsec that only keeps what it is given. */
class RecordingIpsec implements Ipsec {
  readonly log: string[] = [];
  #policies: ProtectionPolicy[] = [];
  #associations: SecurityAssociation[] = [];

  probe(): void {
    this.log.push('probe');
  }

  associations(): readonly SecurityAssociation[] {
    return this.#associations.map(({ destination, requestId, source, spi }) => ({
      destination,
      requestId,
      source,
      spi,
    }));
  }

  addAssociation(association: SecurityAssociation): void {
    this.log.push(`add ${association.source} ${association.destination}`);
    this.#associations.push(association);
  }

  deleteAssociation({ source, destination, spi }: SecurityAssociation): void {
    this.log.push(`delete ${source} ${destination}`);
    this.#associations = this.#associations.filter((each) => each.spi !== spi || each.destination !== destination);
  }

  policies(): readonly ProtectionPolicy[] {
    return this.#policies;
  }

  setPolicy(policy: ProtectionPolicy): void {
    const hasTunnel = kernelNetlink.use(undefined, (socket) => socket.links().some(({ kind }) => kind === 'vxlan'));
    this.log.push(`policy ${policy.direction} ${policy.destinationPort}${hasTunnel ? ' late' : ''}`);
    this.#policies.push(policy);
  }

  deletePolicy(policy: ProtectionPolicy): void {
    this.log.push(`no policy ${policy.direction}`);
    this.#policies = this.#policies.filter((each) => each !== policy);
  }
}

const secret = (options: NetworkSpec['options'], tunnelId = 6100): NetworkSpec => ({
  ...{ id: `secret${tunnelId}`, name: 'secret', options, internal: false, ipv6: false, pools: [] },
  tunnel: { id: tunnelId, port: 4789, address: here },
});

test.serial('where the kernel cannot encrypt, such a network is refused and never made without', async (t) => {
  const lacking: Ipsec = Object.assign(new RecordingIpsec(), {
    probe: () => {
      throw new LinuxError('ENOSYS', 'netlink', { detail: 'Requested AEAD algorithm not found' });
    },
  });
  const opened = await openDriver(driver, { services: [withService(Ipsec, lacking)] });
  for (const [name, value] of [
    ['encrypted', ''],
    ['secure', 'true'],
    ['gantry.overlay.encrypted', '1'],
  ] as const) {
    const error = throws(t, () => opened.driver.validate(secret({ [name]: value })), 'not-implemented');
    t.true(error.message.startsWith(`invalid option ${name}: "${value}"`), error.message);
    t.true(error.message.includes('Requested AEAD algorithm not found'), error.message);
    await rejects(t, opened.driver.createNetwork(secret({ [name]: value })), 'not-implemented');
  }
  opened.driver.validate(secret({ encrypted: 'false' }));
  await opened.release();
});

test.serial(
  'policies are there before the tunnel, and keys are those of the peers until the last network goes',
  async (t) => {
    const ipsec = new RecordingIpsec();
    const opened = await openDriver(driver, { config: { checkSeconds: 3600 }, services: [withService(Ipsec, ipsec)] });
    const [one, other] = [secret({ encrypted: '' }), secret({ encrypted: '' }, 6101)];
    const plain = secret({}, 6102);
    const steps = (): readonly string[] => ipsec.log.splice(0).filter((step) => step !== 'probe');
    await opened.driver.createNetwork(plain);
    t.deepEqual(steps(), []);
    await opened.driver.createNetwork(one);
    t.deepEqual(steps(), ['policy in 4790', 'policy out 4790']);
    const peers = [here, there].map((node, index) => ({
      address: `10.97.2.${index}`,
      macAddress: `02:42:0a:61:02:0${index}`,
      node,
    }));
    await opened.driver.peers?.(one.id, peers, 1);
    t.deepEqual(steps(), [], 'no keys are known');
    await opened.driver.useKeys?.([key('a'), key('b', false)]);
    t.deepEqual(steps(), [`add ${there} ${here}`, `add ${here} ${there}`, `add ${there} ${here}`]);
    await opened.driver.useKeys?.([key('a', false), key('b')]);
    t.deepEqual(
      steps(),
      [`add ${here} ${there}`, `delete ${here} ${there}`],
      'the new key is there before the old one goes',
    );
    await opened.driver.createNetwork(other);
    await opened.driver.peers?.(one.id, [], 2);
    t.deepEqual(ipsec.associations().length, 3, 'the peers of the other network are not known yet');
    await opened.driver.peers?.(other.id, peers, 2);
    await opened.driver.removeNetwork(one.id);
    t.deepEqual(ipsec.associations().length, 3);
    steps();
    await opened.driver.createNetwork({ ...other, tunnel: { id: 6101, port: 4789, address: '10.98.1.9' } });
    t.deepEqual(
      ipsec.policies().map(({ destination, source }) => destination ?? source),
      ['10.98.1.9', '10.98.1.9'],
      'the node has another address',
    );
    await opened.driver.removeNetwork(other.id);
    t.deepEqual([ipsec.policies(), ipsec.associations()], [[], []]);
    await opened.driver.removeNetwork(plain.id);
    await opened.release();
  },
);
