import { fc } from '@gantry/property-testing';
import test from 'ava';
import type { SharedNetworkState } from '../endpoints/network-state.js';
import { NetworkHistory } from './network-history.js';
import { type NetworksOfNode, networksAfter } from './network-messages.js';
import { type NetworksText, toLine } from './network-texts.js';

const empty: NetworksOfNode = { revision: 0, states: new Map(), attachable: [] };
const tunnel = { id: 7, port: 4789, address: '192.0.2.1' };
const addresses = ['10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.5'];
const address = fc.constantFrom(...addresses);

const networkState: fc.Arbitrary<SharedNetworkState> = fc.record({
  peers: fc.uniqueArray(
    fc.record({ address, macAddress: fc.constantFrom('02:42:00:00:00:01', '02:42:00:00:00:02'), node: address }),
    { selector: (peer) => peer.address },
  ),
  names: fc
    .uniqueArray(fc.tuple(fc.constantFrom('web', 'tasks.web', '__proto__'), fc.uniqueArray(address)), {
      selector: ([name]) => name,
    })
    .map((names) => new Map(names)),
  services: fc.uniqueArray(fc.record({ address, backends: fc.uniqueArray(address) }), {
    selector: (service) => service.address,
  }),
});

const textOf = (
  networks: Readonly<Record<string, NetworkHistory>>,
  more: Partial<NetworksText> = {},
): NetworksText => ({
  networks: new Set(Object.keys(networks)),
  meshes: new Set(),
  states: Object.entries(networks).map(([id, shared]) => ({
    id,
    shared,
    version: shared.version,
    tunnel: JSON.stringify(tunnel),
  })),
  attachable: '[]',
  ingress: undefined,
  ...more,
});

/** A node that is sent lines. */
class Receiver {
  known = empty;
  bytes = 0;
  #sent: NetworksText | undefined;

  receive(text: NetworksText, revision: number): void {
    const line = toLine(text, revision, this.#sent);
    this.#sent = text;
    this.bytes = line.length;
    this.known = networksAfter(this.known, JSON.parse(Buffer.from(line).toString()));
  }
}

const sorted = (list: Iterable<unknown>): string[] => [...list].map((item) => JSON.stringify(item)).sort();

/** Lists have no order. */
const comparable = ({ names, peers, services }: SharedNetworkState): object => ({
  names: sorted(names),
  peers: sorted(peers),
  services: sorted(services),
});

test('nodes that are sent changes know what the others know, however many changes they missed', (t) => {
  const history = fc.array(fc.record({ state: networkState, isSent: fc.boolean() }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(networkState, history, (first, steps) => {
      const network = new NetworkHistory(first);
      const [prompt, late, anew] = [new Receiver(), new Receiver(), new Receiver()];
      prompt.receive(textOf({ n1: network }), 1);
      late.receive(textOf({ n1: network }), 1);
      steps.forEach(({ isSent, state }, index) => {
        network.update(state);
        prompt.receive(textOf({ n1: network }), index + 2);
        if (isSent) late.receive(textOf({ n1: network }), index + 2);
      });
      const revision = steps.length + 2;
      for (const node of [prompt, late, anew]) {
        node.receive(textOf({ n1: network }), revision);
        const known = node.known.states.get('n1');
        if (known === undefined) throw new Error('the network is missing');
        t.deepEqual(comparable(known), comparable(steps.at(-1)?.state ?? first));
        t.deepEqual(known.tunnel, tunnel);
      }
    }),
  );
});

const peersOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    address: `10.0.${index >> 8}.${index & 255}`,
    macAddress: '02:42:00:00:00:01',
    node: '192.0.2.1',
  }));
const withPeers = (count: number): SharedNetworkState => ({
  peers: peersOf(count),
  names: new Map(),
  services: [],
});

test('one more peer of a thousand is sent alone', (t) => {
  const network = new NetworkHistory(withPeers(1000));
  const node = new Receiver();
  node.receive(textOf({ n1: network }), 1);
  t.true(node.bytes > 50_000);
  network.update(withPeers(1001));
  node.receive(textOf({ n1: network }), 2);
  t.true(node.bytes < 300, String(node.bytes));
  t.is(node.known.states.get('n1')?.peers.length, 1001);
  t.is(node.known.states.get('n1')?.revision, 2);
});

test('a node that has missed more than is kept is sent the network itself', (t) => {
  const network = new NetworkHistory(withPeers(1));
  const node = new Receiver();
  node.receive(textOf({ n1: network }), 1);
  for (let count = 0; count < 6; count++) network.update(withPeers(count % 2 === 0 ? 1000 : 1));
  t.is(network.changesSince(1), undefined);
  node.receive(textOf({ n1: network }), 2);
  t.is(node.known.states.get('n1')?.peers.length, 1);
});

test('networks come and go, and published ports and attachable networks are sent when they change', (t) => {
  const [one, two] = [new NetworkHistory(withPeers(1)), new NetworkHistory(withPeers(2))];
  const ingress = JSON.stringify({ network: { id: 'n9' }, ports: [] });
  const node = new Receiver();
  node.receive(textOf({ n1: one }, { ingress, attachable: '[{"network":{"id":"n8"}}]' }), 1);
  node.receive(textOf({ n1: one, n2: two }, { ingress, attachable: '[{"network":{"id":"n8"}}]' }), 2);
  t.deepEqual([...node.known.states.keys()], ['n1', 'n2']);
  t.deepEqual(node.known.ingress as unknown, { network: { id: 'n9' }, ports: [] });
  t.is(node.known.attachable.length, 1);
  node.receive(textOf({ n2: two }), 3);
  t.deepEqual([...node.known.states.keys()], ['n2']);
  t.is(node.known.ingress, undefined);
  t.is(node.known.attachable.length, 0);
});

test('a node that takes no changes is sent everything each time', (t) => {
  const network = new NetworkHistory(withPeers(2));
  const message = JSON.parse(Buffer.from(toLine(textOf({ n1: network }), 5)).toString()) as object;
  t.deepEqual(Object.keys(message), ['revision', 'states', 'attachable']);
  const before = networksAfter(empty, JSON.parse(Buffer.from(toLine(textOf({ n2: network }), 4)).toString()));
  t.deepEqual([...networksAfter(before, message).states.keys()], ['n1']);
});

test('changes of a network that was not sent, and what is no message, are errors', (t) => {
  const change = { revision: 2, states: [], changes: [['n1', []]] };
  t.throws(() => networksAfter(empty, change), { message: /n1 was changed, and not sent before/ });
  for (const message of [null, [], { revision: 1 }, { revision: 1, states: [], changes: 5 }]) {
    t.throws(() => networksAfter(empty, message), { message: /cannot be read/ });
  }
});
