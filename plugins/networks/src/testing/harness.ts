import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { openDriver } from '@gantry/conformance';
import { type EngineEvent, EventBus } from '@gantry/core';
import type { SandboxDriver } from '@gantry/core/contracts';
import { Lifetime } from '@gantry/core/driver';
import { ipam, sandbox, state } from '@gantry/memory-drivers';
import type { ExecutionContext } from 'ava';
import { type DecodedPacket, decode, encode } from 'dns-packet';
import type { CreateNetworkRequest } from '../networks/create-network.js';
import type { Attachment, SandboxRequest } from '../service.js';
import { FakeNetwork } from './fake-network.js';
import { openArea } from './open-area.js';

export const networkRequest = (name: string, more: Partial<CreateNetworkRequest> = {}): CreateNetworkRequest => ({
  name,
  driver: 'bridge',
  checkDuplicate: false,
  internal: false,
  ipv6: false,
  options: {},
  labels: {},
  ipam: { driver: 'default', options: {} },
  pools: [],
  ...more,
});

/** A network of eight addresses, `10.0.N.0/29`: a leaked address shows. */
export const small = (name: string, number: number): CreateNetworkRequest =>
  networkRequest(name, { pools: [{ subnet: `10.0.${number}.0/29`, auxiliary: {}, ipv6: false }] });

export const attachment = (networkId: string, more: Partial<Attachment> = {}): Attachment => ({
  networkId,
  aliases: [],
  links: {},
  ports: [],
  ...more,
});

export const sandboxOf = (id: string, ...attachments: readonly Attachment[]): SandboxRequest => ({
  container: { id, name: `name-${id.slice(0, 12)}`, hostname: id, domainname: '' },
  attachments,
  dns: { nameservers: ['127.0.0.1'], search: [], options: [] },
});

/** A network area on drivers in memory, with fake networks that can be made to fail. */
export async function networkHarness(t: ExecutionContext) {
  const end = new Lifetime();
  t.teardown(() => end.release());
  let stateStore = await openDriver(state);
  end.add(() => stateStore.release());
  const sandboxes = await openDriver(sandbox);
  end.add(() => sandboxes.release());
  const bridge = new FakeNetwork('bridge');
  const host = new FakeNetwork('host');
  const none = new FakeNetwork('none');
  const bus = new EventBus();
  const events: EngineEvent[] = [];
  bus.subscribe((event) => events.push(event));
  const resolvers = new Map<string, { readonly udp: number; readonly tcp: number }>();
  /** Sandbox calls that reject: the next one of each kind. */
  const failures = new Map<'create' | 'remove' | 'openResolver', Error>();
  const fail = (call: 'create' | 'remove' | 'openResolver'): void => {
    const failure = failures.get(call);
    failures.delete(call);
    if (failure !== undefined) throw failure;
  };
  const sandboxDriver: SandboxDriver = {
    host: sandboxes.driver.host,
    get: (id) => sandboxes.driver.get(id),
    list: () => sandboxes.driver.list(),
    async create(id) {
      fail('create');
      return sandboxes.driver.create(id);
    },
    async remove(id) {
      fail('remove');
      await sandboxes.driver.remove(id);
    },
    async openResolver(id) {
      fail('openResolver');
      const sockets = await sandboxes.driver.openResolver(id);
      resolvers.set(id, { udp: sockets.udp.address().port, tcp: (sockets.tcp.address() as { port: number }).port });
      return sockets;
    },
  };
  const open = async () => {
    const addresses = await openDriver(ipam);
    const area = await openArea({
      state: stateStore.driver,
      networks: { bridge, host, none },
      ipam: addresses.driver,
      sandbox: sandboxDriver,
      events: bus,
    });
    end.add(() => addresses.release());
    end.add(() => area.close());
    return area;
  };
  let current = await open();
  return {
    bridge,
    host,
    none,
    sandboxDriver,
    failures,
    events,
    get store() {
      return current.store;
    },
    get createNetwork() {
      return current.createNetwork;
    },
    get removeNetwork() {
      return current.removeNetwork;
    },
    get networks() {
      return current.networks;
    },
    get sandboxes() {
      return current.sandboxes;
    },
    get endpoints() {
      return current.endpoints;
    },
    create: async (request: CreateNetworkRequest): Promise<string> => (await current.createNetwork.create(request)).id,
    /** Such as `connect front c1`. */
    eventSummaries: () =>
      events.map(({ action, actor }) => [action, actor.attributes.name, actor.attributes.container].join(' ').trim()),
    /** The next daemon, after a crash of this one. */
    async reopen() {
      await current.close(); // as the end of the process closes the resolvers' sockets
      stateStore = await stateStore.reopen({ crash: true });
      current = await open();
    },
    /** How many more containers fit on a network: fills it up and empties it again. */
    async room(networkId: string): Promise<number> {
      for (let count = 0; ; count += 1) {
        try {
          await current.sandboxes.open(sandboxOf(`room${count}`, attachment(networkId)));
        } catch {
          for (let index = 0; index < count; index += 1) await current.sandboxes.close(`room${index}`);
          return count;
        }
      }
    },
    /** Queries the resolver of a container's sandbox. */
    ask: (containerId: string, name: string, type: 'A' | 'AAAA' | 'PTR' = 'A') =>
      askUdp(resolvers.get(containerId)?.udp ?? 0, name, type),
    askTcp: (containerId: string, name: string) => askTcp(resolvers.get(containerId)?.tcp ?? 0, name),
  };
}

const question = (name: string, type: 'A' | 'AAAA' | 'PTR'): Buffer =>
  encode({ type: 'query', id: 7, flags: 0x100, questions: [{ name, type }] });

/** The data of the answers; undefined for a refusal. */
const answersOf = ({ answers = [], flags = 0 }: DecodedPacket): readonly string[] | undefined =>
  (flags & 0xf) === 0 ? answers.map((answer) => String('data' in answer ? answer.data : '')) : undefined;

function askUdp(port: number, name: string, type: 'A' | 'AAAA' | 'PTR'): Promise<readonly string[] | undefined> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    socket.once('error', (error) => {
      socket.close();
      reject(error);
    });
    socket.once('message', (message) => {
      socket.close();
      resolve(answersOf(decode(message)));
    });
    socket.connect(port, '127.0.0.1', () => socket.send(question(name, type)));
  });
}

function askTcp(port: number, name: string): Promise<readonly string[] | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const bytes = question(name, 'A');
    let received = Buffer.alloc(0);
    socket.once('error', reject);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < received.readUInt16BE(0) + 2) return;
      socket.destroy();
      resolve(answersOf(decode(received.subarray(2))));
    });
    socket.write(Buffer.concat([Buffer.from([0, bytes.length]), bytes]));
  });
}
