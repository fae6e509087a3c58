import { servicePoint } from '@gantry/core/points';
import type { NamespaceReference } from '../namespaces/namespaces.js';
import { kernelNetlink } from './kernel-netlink.js';
import { kernelSysctl } from './kernel-sysctl.js';

/** A network interface: its name, or its index, which is quicker. */
export type LinkReference = string | number;

export interface LinkStatistics {
  readonly rxBytes: number;
  readonly rxPackets: number;
  readonly rxErrors: number;
  readonly rxDropped: number;
  readonly txBytes: number;
  readonly txPackets: number;
  readonly txErrors: number;
  readonly txDropped: number;
}

export interface Link {
  readonly index: number;
  readonly name: string;
  /** `bridge`, `veth`, `vxlan` …; undefined for hardware and loopback. */
  readonly kind: string | undefined;
  readonly up: boolean;
  /** Has a carrier: the other end is up too. */
  readonly running: boolean;
  readonly loopback: boolean;
  readonly mtu: number;
  /** Colon form, lower case; undefined where there is none. */
  readonly macAddress: string | undefined;
  /** A text stored on the link, such as an owner mark. */
  readonly alias: string | undefined;
  /** Index of the bridge or bond it belongs to. */
  readonly master: number | undefined;
  /** Index of the underlying link: a veth's peer, a VLAN's parent; possibly in another namespace. */
  readonly parent: number | undefined;
  readonly statistics: LinkStatistics;
}

interface NewLinkCommon {
  /** At most 15 bytes. */
  readonly name: string;
  readonly mtu?: number;
  readonly macAddress?: string;
  /** The index it gets; the kernel chooses by default. */
  readonly index?: number;
  /** The namespace it is made in, by descriptor; the socket's by default. */
  readonly namespaceFd?: number;
  readonly master?: LinkReference;
}

export interface BridgeOptions {
  readonly multicastSnooping?: boolean;
  readonly vlanFiltering?: boolean;
  readonly stp?: boolean;
  /** Seconds. */
  readonly forwardDelay?: number;
  readonly ageingTime?: number;
  readonly callIptables?: boolean;
}

export type NewLink = NewLinkCommon &
  (
    | ({ readonly kind: 'bridge' } & BridgeOptions)
    | {
        readonly kind: 'veth';
        readonly peer: {
          readonly name: string;
          readonly mtu?: number;
          readonly macAddress?: string;
          readonly index?: number;
          /** Where the peer appears, by descriptor. */
          readonly namespaceFd?: number;
        };
      }
    | { readonly kind: 'vlan'; readonly parent: LinkReference; readonly id: number }
    | {
        readonly kind: 'vxlan';
        readonly id: number;
        readonly parent?: LinkReference;
        readonly local?: string;
        /** A multicast group, or the one peer. */
        readonly remote?: string;
        /** 4789 by default. */
        readonly port?: number;
        readonly learning?: boolean;
        readonly proxy?: boolean;
        readonly l2miss?: boolean;
        readonly l3miss?: boolean;
        readonly ttl?: number;
      }
    | {
        readonly kind: 'macvlan';
        readonly parent: LinkReference;
        readonly mode?: 'private' | 'vepa' | 'bridge' | 'passthru';
      }
    | {
        readonly kind: 'ipvlan';
        readonly parent: LinkReference;
        readonly mode?: 'l2' | 'l3' | 'l3s';
        /** What links of one parent may exchange: everything, nothing, or what an external switch sends back. */
        readonly isolation?: 'bridge' | 'private' | 'vepa';
      }
    | { readonly kind: 'dummy' }
  );

export interface LinkChange {
  readonly up?: boolean;
  /** Renames; the link must be down. */
  readonly name?: string;
  readonly mtu?: number;
  readonly macAddress?: string;
  /** At most 255 bytes; empty removes it. */
  readonly alias?: string;
  /** null detaches it from its bridge. */
  readonly master?: LinkReference | null;
  /** Moves it to another namespace, by descriptor; it is down there and has lost its addresses. */
  readonly namespaceFd?: number;
}

/** Flags of a link as a port of its bridge. */
export interface BridgePortChange {
  /** A frame may leave by the port it came in by. */
  readonly hairpin?: boolean;
  /** Isolated ports cannot reach each other. */
  readonly isolated?: boolean;
  readonly learning?: boolean;
  readonly unicastFlood?: boolean;
  readonly neighbourSuppress?: boolean;
}

export interface Address {
  readonly link: number;
  readonly family: 'ipv4' | 'ipv6';
  /** With prefix length: `172.17.0.2/16`. */
  readonly address: string;
  readonly broadcast: string | undefined;
  readonly scope: 'global' | 'site' | 'link' | 'host' | 'nowhere';
  /** Duplicate address detection has not finished: it cannot be bound yet. */
  readonly tentative: boolean;
}

export interface NewAddress {
  /** With prefix length. */
  readonly address: string;
  /** IPv4: the last address of the prefix by default. */
  readonly broadcast?: string;
  /** IPv6: usable at once, without duplicate address detection. */
  readonly noDad?: boolean;
}

export interface Route {
  readonly family: 'ipv4' | 'ipv6';
  /** With prefix length; `default` for 0.0.0.0/0 and ::/0. */
  readonly destination: string;
  readonly gateway: string | undefined;
  readonly link: number | undefined;
  /** Preferred source address. */
  readonly source: string | undefined;
  readonly metric: number;
  /** 254 is the main table. */
  readonly table: number;
  readonly type: 'unicast' | 'local' | 'broadcast' | 'multicast' | 'blackhole' | 'unreachable' | 'other';
}

export interface RouteChange {
  /** With prefix length, or `default`, whose family is the gateway's. */
  readonly destination: string;
  readonly gateway?: string;
  readonly link?: LinkReference;
  readonly source?: string;
  readonly metric?: number;
  readonly table?: number;
  /** `link` reaches its destinations without a gateway. Follows from the gateway by default. */
  readonly scope?: 'global' | 'link';
  /** Only for `default` without a gateway; ipv4 by default. */
  readonly family?: 'ipv4' | 'ipv6';
  /** The gateway is on the link although no address says so. */
  readonly onLink?: boolean;
}

/** Which table of routes packets are routed by: the first rule that matches, and has a route for them. IPv4. */
export interface RoutingRule {
  /** Smaller ones come first. The main table has 32766. */
  readonly priority: number;
  /** Packets whose mark has this value, in the bits of the mask. */
  readonly mark: { readonly value: number; readonly mask: number };
  readonly table: number;
}

export interface Neighbour {
  readonly link: number;
  /** Undefined in entries of a bridge's or VXLAN's forwarding table without one. */
  readonly address: string | undefined;
  readonly macAddress: string | undefined;
  readonly permanent: boolean;
}

export interface NeighbourChange {
  readonly link: LinkReference;
  /**
   * Of the neighbour; in a forwarding table, of the machine behind a VXLAN where the interface is, and left out for an
   * entry of a bridge.
   */
  readonly address?: string;
  readonly macAddress: string;
  /** `arp` (the default) maps addresses; `bridge` is the forwarding table of a bridge or VXLAN. */
  readonly table?: 'arp' | 'bridge';
}

/**
 * Changes of the network stack. Throws LinuxError with the kernel's reason as its detail: `EEXIST` there already, `ENODEV` no
 * such link, `ESRCH` no such route, `EADDRNOTAVAIL` no such address, `ENETUNREACH` the gateway is not on a link.
 */
export interface NetworkChanges {
  /** The link is down. A veth pair must be made before either end is set up. */
  addLink(link: NewLink): void;
  /** A bridge's ports survive it, a veth's peer does not. */
  deleteLink(link: LinkReference): void;
  /**
   * Several of one namespace at little more than the cost of one: the kernel waits once for concurrent readers. Existing
   * links are deleted even when `ENODEV` is thrown for another.
   */
  deleteLinks(links: readonly LinkReference[]): void;
  setLink(link: LinkReference, change: LinkChange): void;
  setBridge(link: LinkReference, options: BridgeOptions): void;
  setBridgePort(link: LinkReference, change: BridgePortChange): void;
  addAddress(link: LinkReference, address: NewAddress | string): void;
  deleteAddress(link: LinkReference, address: string): void;
  /** Throws `EEXIST` when such a route exists. */
  addRoute(route: RouteChange): void;
  /** Adds it, or replaces the route with the same destination and metric. */
  replaceRoute(route: RouteChange): void;
  deleteRoute(route: RouteChange): void;
  /** Throws `EEXIST` when there is such a rule. */
  addRule(rule: RoutingRule): void;
  /** Throws `ENOENT` when there is none. */
  deleteRule(rule: RoutingRule): void;
  /** Permanent; replaces an existing entry. */
  addNeighbour(neighbour: NeighbourChange): void;
  deleteNeighbour(neighbour: NeighbourChange): void;
}

/**
 * A connection to the network stack of one namespace, whichever namespace the thread is in later. Synchronous: the
 * kernel answers within the call, about 0.1 ms each.
 */
export interface NetlinkSocket extends NetworkChanges {
  links(): readonly Link[];
  /** Absent: undefined. */
  link(link: LinkReference): Link | undefined;
  /** Of all links by default. */
  addresses(link?: LinkReference): readonly Address[];
  /** Of the main table by default. */
  routes(options?: { readonly table?: number | 'all' }): readonly Route[];
  /** Of IPv4, those that match marks only. */
  rules(): readonly RoutingRule[];
  neighbours(options?: { readonly link?: LinkReference; readonly table?: 'arp' | 'bridge' }): readonly Neighbour[];
  /**
   * Sends the changes of the action at once, in order. Not a transaction: the changes after a failed one are applied,
   * then the first failure is thrown. Links are named by index, or exist before.
   */
  batch(action: (changes: NetworkChanges) => void): void;
  /**
   * The same on another thread, for operations that take the kernel some ms, such as deleting a link, which waits for
   * concurrent readers. Other calls may run meanwhile.
   */
  apply(action: (changes: NetworkChanges) => void): Promise<void>;
  close(): void;
}

export interface Netlink {
  /** The namespace is the calling thread's by default. */
  open(options?: { readonly namespace?: NamespaceReference }): NetlinkSocket;
  /** Opens, acts, closes. */
  use<T>(namespace: NamespaceReference | undefined, action: (socket: NetlinkSocket) => T): T;
}

export const Netlink = servicePoint<Netlink>('linux.netlink', { fallback: () => kernelNetlink });

/** Settings below /proc/sys in a network namespace, named with dots or slashes: `net.ipv4.ip_forward`. */
export interface Sysctl {
  /** Undefined when the kernel has no such setting. */
  read(name: string, namespace?: NamespaceReference): string | undefined;
  /** Throws LinuxError `ENOENT` when the kernel has no such setting, `EINVAL` when it refuses the value. */
  write(name: string, value: string | number, namespace?: NamespaceReference): void;
}

export const Sysctl = servicePoint<Sysctl>('linux.sysctl', { fallback: () => kernelSysctl });
