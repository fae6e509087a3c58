import type { SwarmNetworkState } from '@gantry/networks/service';
import type { SharedNetworkState } from '../endpoints/network-state.js';

/** What has become of a list whose items have keys. */
interface ListChange<T> {
  /** New ones, and those that are different now. */
  readonly set: readonly T[];
  /** Keys of those that are gone. */
  readonly removed: readonly string[];
}

type Peer = SwarmNetworkState['peers'][number];
type Service = SwarmNetworkState['services'][number];
type Name = readonly [name: string, addresses: readonly string[]];

/**
 * What is different in a network since an earlier state, which is little beside it: a network that is on every node has a
 * peer for each of them. What is missing is as it was.
 */
export interface StateChange {
  readonly peers?: ListChange<Peer>;
  readonly names?: ListChange<Name>;
  readonly services?: ListChange<Service>;
  readonly keys?: SwarmNetworkState['keys'];
}

const keyOfPeer = ({ address }: Peer): string => address;
const keyOfName = ([name]: Name): string => name;
const keyOfService = ({ address }: Service): string => address;

/** Undefined when the two are the same, but for the order of their lists. */
export function changeBetween(before: SharedNetworkState, after: SharedNetworkState): StateChange | undefined {
  const change: StateChange = {
    ...optional('peers', changeOfList(before.peers, after.peers, keyOfPeer)),
    ...optional('names', changeOfList([...before.names], [...after.names], keyOfName)),
    ...optional('services', changeOfList(before.services, after.services, keyOfService)),
    ...optional('keys', isSame(before.keys, after.keys) ? undefined : (after.keys ?? [])),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

/** The state after a change. */
export function withChange<S extends SharedNetworkState>(state: S, change: StateChange): S {
  const { keys, names, peers, services } = change;
  return {
    ...state,
    ...(peers && { peers: listAfter(state.peers, peers, keyOfPeer) }),
    ...(names && { names: new Map(listAfter([...state.names], names, keyOfName)) }),
    ...(services && { services: listAfter(state.services, services, keyOfService) }),
    ...(keys && { keys }),
  };
}

function changeOfList<T>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (item: T) => string,
): ListChange<T> | undefined {
  const gone = new Map(before.map((item) => [keyOf(item), item]));
  const set = after.filter((item) => {
    const key = keyOf(item);
    const known = gone.get(key);
    gone.delete(key);
    return known === undefined || !isSame(known, item);
  });
  return set.length + gone.size === 0 ? undefined : { set, removed: [...gone.keys()] };
}

function listAfter<T>(before: readonly T[], { removed, set }: ListChange<T>, keyOf: (item: T) => string): T[] {
  const items = new Map(before.map((item) => [keyOf(item), item]));
  for (const key of removed) items.delete(key);
  for (const item of set) items.set(keyOf(item), item);
  return [...items.values()];
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const optional = <K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } =>
  value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
