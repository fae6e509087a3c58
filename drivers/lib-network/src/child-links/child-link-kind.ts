import type { NewLink } from '@gantry/lib-linux/netlink';

/** What a network's options say. */
export interface ChildLinkOptions {
  /** The host's interface, such as `eth0`, or `eth0.50` for a VLAN on it; undefined: an isolated network. */
  readonly parent: string | undefined;
  readonly mtu: number | undefined;
  /** The kind and mode of its links. */
  readonly link: ChildLink;
  /** Links route by addresses and take no part in the parent's Ethernet: there are no gateways. */
  readonly routed?: boolean;
}

type ChildLink =
  | Omit<Extract<NewLink, { kind: 'macvlan' }>, 'name' | 'parent'>
  | Omit<Extract<NewLink, { kind: 'ipvlan' }>, 'name' | 'parent'>;

/** Injects the kind of links that a driver creates. */
export const ChildLinkKind = Symbol('kind of child links');

/** One kind of links that the kernel puts on a parent. */
export interface ChildLinkKind {
  /** The driver's id, which is also the kernel's name of the kind. */
  readonly name: 'macvlan' | 'ipvlan';
  /** Mark on the links that the driver creates: distinguishes several engines on one host. */
  readonly owner: string;
  /** Of interfaces on the host: two letters. */
  readonly prefix: string;
  /** Links have hardware addresses of their own, or else that of their parent. */
  readonly ownHardwareAddress: boolean;
  /** @throws EngineError `invalid-argument` naming option and value. */
  parseOptions(options: Readonly<Record<string, string>>): ChildLinkOptions;
}
