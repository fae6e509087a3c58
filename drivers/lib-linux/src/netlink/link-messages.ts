import { AF_BRIDGE } from '../ffi/constants.js';
import { ipBytes } from '../sockets/ip-address.js';
import { attributeText, BodyWriter, macBytes, macText, readAttributes } from './attributes.js';
import * as rt from './constants.js';
import type { BridgeOptions, BridgePortChange, Link, LinkChange, LinkStatistics, NewLink } from './netlink.js';

interface LinkHeader {
  readonly family?: number;
  readonly index?: number;
  readonly up?: boolean;
}

/** `struct ifinfomsg` */
function writeHeader(body: BodyWriter, { family = 0, index = 0, up }: LinkHeader): void {
  const header = body.header(16);
  header.writeUInt8(family, 0);
  header.writeInt32LE(index, 4);
  if (up === undefined) return;
  header.writeUInt32LE(up ? rt.IFF_UP : 0, 8);
  header.writeUInt32LE(rt.IFF_UP, 12);
}

/** The index of a link by its name or itself. */
export type Resolve = (link: string | number) => number;

export function linkBody(link: { readonly index: number } | { readonly name: string }): Buffer {
  const body = new BodyWriter();
  writeHeader(body, 'index' in link ? { index: link.index } : {});
  if ('name' in link) body.text(rt.IFLA_IFNAME, link.name);
  return body.written;
}

/** Puts a link into a group. */
export function groupedLinkBody(link: { readonly index: number } | { readonly name: string }, group: number): Buffer {
  const body = new BodyWriter();
  writeHeader(body, 'index' in link ? { index: link.index } : {});
  if ('name' in link) body.text(rt.IFLA_IFNAME, link.name);
  body.u32(rt.IFLA_GROUP, group);
  return body.written;
}

/** Means every link of a group. */
export function groupBody(group: number): Buffer {
  const body = new BodyWriter();
  writeHeader(body, {});
  body.u32(rt.IFLA_GROUP, group);
  return body.written;
}

export function newLinkBody(link: NewLink, resolve: Resolve): Buffer {
  const body = new BodyWriter();
  writeHeader(body, link.index === undefined ? {} : { index: link.index });
  writeCommon(body, link);
  if (link.master !== undefined) body.u32(rt.IFLA_MASTER, resolve(link.master));
  if ('parent' in link && link.parent !== undefined && link.kind !== 'vxlan') {
    body.u32(rt.IFLA_LINK, resolve(link.parent));
  }
  body.nested(rt.IFLA_LINKINFO, () => {
    body.text(rt.IFLA_INFO_KIND, link.kind);
    if (link.kind !== 'dummy') body.nested(rt.IFLA_INFO_DATA, () => writeKindData(body, link, resolve));
  });
  return body.written;
}

function writeCommon(
  body: BodyWriter,
  link: { name: string; mtu?: number; macAddress?: string; namespaceFd?: number },
): void {
  body.text(rt.IFLA_IFNAME, link.name);
  if (link.mtu !== undefined) body.u32(rt.IFLA_MTU, link.mtu);
  if (link.macAddress !== undefined) body.bytes(rt.IFLA_ADDRESS, macBytes(link.macAddress));
  if (link.namespaceFd !== undefined) body.u32(rt.IFLA_NET_NS_FD, link.namespaceFd);
}

const macvlanModes = { private: 1, vepa: 2, bridge: 4, passthru: 8 } as const;
const ipvlanFlags = { bridge: 0, private: 1, vepa: 2 } as const;
const ipvlanModes = { l2: 0, l3: 1, l3s: 2 } as const;

function writeKindData(body: BodyWriter, link: Exclude<NewLink, { kind: 'dummy' }>, resolve: Resolve): void {
  switch (link.kind) {
    case 'bridge':
      writeBridge(body, link);
      break;
    case 'veth':
      body.nested(rt.VETH_INFO_PEER, () => {
        writeHeader(body, link.peer.index === undefined ? {} : { index: link.peer.index });
        writeCommon(body, link.peer);
      });
      break;
    case 'vlan':
      body.u16(rt.IFLA_VLAN_ID, link.id);
      break;
    case 'macvlan':
      body.u32(rt.IFLA_MACVLAN_MODE, macvlanModes[link.mode ?? 'bridge']);
      break;
    case 'ipvlan':
      body.u16(rt.IFLA_IPVLAN_MODE, ipvlanModes[link.mode ?? 'l2']);
      if (link.isolation !== undefined) body.u16(rt.IFLA_IPVLAN_FLAGS, ipvlanFlags[link.isolation]);
      break;
    case 'vxlan':
      writeVxlan(body, link, resolve);
      break;
  }
}

function writeVxlan(body: BodyWriter, link: Extract<NewLink, { kind: 'vxlan' }>, resolve: Resolve): void {
  body.u32(rt.IFLA_VXLAN_ID, link.id);
  body.u16be(rt.IFLA_VXLAN_PORT, link.port ?? 4789);
  if (link.parent !== undefined) body.u32(rt.IFLA_VXLAN_LINK, resolve(link.parent));
  const address = (text: string | undefined, four: number, six: number): void => {
    if (text === undefined) return;
    const bytes = ipBytes(text);
    body.bytes(bytes.length === 4 ? four : six, bytes);
  };
  address(link.local, rt.IFLA_VXLAN_LOCAL, rt.IFLA_VXLAN_LOCAL6);
  address(link.remote, rt.IFLA_VXLAN_GROUP, rt.IFLA_VXLAN_GROUP6);
  if (link.ttl !== undefined) body.u8(rt.IFLA_VXLAN_TTL, link.ttl);
  body
    .flag(rt.IFLA_VXLAN_LEARNING, link.learning)
    .flag(rt.IFLA_VXLAN_PROXY, link.proxy)
    .flag(rt.IFLA_VXLAN_L2MISS, link.l2miss)
    .flag(rt.IFLA_VXLAN_L3MISS, link.l3miss);
}

/** The kernel counts these in hundredths of a second. */
const ticksPerSecond = 100;

function writeBridge(body: BodyWriter, options: BridgeOptions): void {
  if (options.forwardDelay !== undefined) {
    body.u32(rt.IFLA_BR_FORWARD_DELAY, Math.round(options.forwardDelay * ticksPerSecond));
  }
  if (options.ageingTime !== undefined) {
    body.u32(rt.IFLA_BR_AGEING_TIME, Math.round(options.ageingTime * ticksPerSecond));
  }
  if (options.stp !== undefined) body.u32(rt.IFLA_BR_STP_STATE, options.stp ? 1 : 0);
  body
    .flag(rt.IFLA_BR_VLAN_FILTERING, options.vlanFiltering)
    .flag(rt.IFLA_BR_MCAST_SNOOPING, options.multicastSnooping)
    .flag(rt.IFLA_BR_NF_CALL_IPTABLES, options.callIptables);
}

export function bridgeBody(index: number, options: BridgeOptions): Buffer {
  const body = new BodyWriter();
  writeHeader(body, { index });
  body.nested(rt.IFLA_LINKINFO, () => {
    body.text(rt.IFLA_INFO_KIND, 'bridge');
    body.nested(rt.IFLA_INFO_DATA, () => writeBridge(body, options));
  });
  return body.written;
}

export function linkChangeBody(index: number, change: LinkChange, resolve: Resolve): Buffer {
  const body = new BodyWriter();
  writeHeader(body, { index, ...(change.up !== undefined && { up: change.up }) });
  if (change.name !== undefined) body.text(rt.IFLA_IFNAME, change.name);
  if (change.mtu !== undefined) body.u32(rt.IFLA_MTU, change.mtu);
  if (change.macAddress !== undefined) body.bytes(rt.IFLA_ADDRESS, macBytes(change.macAddress));
  if (change.alias !== undefined) body.bytes(rt.IFLA_IFALIAS, Buffer.from(change.alias));
  if (change.master !== undefined) body.u32(rt.IFLA_MASTER, change.master === null ? 0 : resolve(change.master));
  if (change.namespaceFd !== undefined) body.u32(rt.IFLA_NET_NS_FD, change.namespaceFd);
  return body.written;
}

export function bridgePortBody(index: number, change: BridgePortChange): Buffer {
  const body = new BodyWriter();
  writeHeader(body, { family: AF_BRIDGE, index });
  body.nested(
    rt.IFLA_PROTINFO,
    () => {
      body
        .flag(rt.IFLA_BRPORT_MODE, change.hairpin)
        .flag(rt.IFLA_BRPORT_ISOLATED, change.isolated)
        .flag(rt.IFLA_BRPORT_LEARNING, change.learning)
        .flag(rt.IFLA_BRPORT_UNICAST_FLOOD, change.unicastFlood)
        .flag(rt.IFLA_BRPORT_NEIGH_SUPPRESS, change.neighbourSuppress);
    },
    { flagged: true },
  );
  return body.written;
}

export function readLink(bytes: Buffer): Link {
  const flags = bytes.readUInt32LE(8);
  const attributes = readAttributes(bytes.subarray(16));
  const info = attributes.get(rt.IFLA_LINKINFO);
  return {
    index: bytes.readInt32LE(4),
    name: attributeText(attributes.get(rt.IFLA_IFNAME)) ?? '',
    kind: info === undefined ? undefined : attributeText(readAttributes(info).get(rt.IFLA_INFO_KIND)),
    up: (flags & rt.IFF_UP) !== 0,
    running: (flags & rt.IFF_LOWER_UP) !== 0,
    loopback: (flags & rt.IFF_LOOPBACK) !== 0,
    mtu: attributes.get(rt.IFLA_MTU)?.readUInt32LE() ?? 0,
    macAddress: macText(attributes.get(rt.IFLA_ADDRESS)),
    alias: attributeText(attributes.get(rt.IFLA_IFALIAS)),
    master: attributes.get(rt.IFLA_MASTER)?.readUInt32LE(),
    parent: attributes.get(rt.IFLA_LINK)?.readUInt32LE(),
    statistics: readStatistics(attributes.get(rt.IFLA_STATS64)),
  };
}

function readStatistics(bytes: Buffer | undefined): LinkStatistics {
  const field = (index: number): number => (bytes === undefined ? 0 : Number(bytes.readBigUInt64LE(index * 8)));
  return {
    rxPackets: field(0),
    txPackets: field(1),
    rxBytes: field(2),
    txBytes: field(3),
    rxErrors: field(4),
    txErrors: field(5),
    rxDropped: field(6),
    txDropped: field(7),
  };
}
