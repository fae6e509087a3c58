import { AF_INET, AF_INET6 } from '../ffi/constants.js';
import { type IpPrefix, ipBytes, ipPrefix, ipText } from '../sockets/ip-address.js';
import { BodyWriter, readAttributes } from './attributes.js';
import * as rt from './constants.js';
import type { Resolve } from './link-messages.js';
import type { Route, RouteChange } from './netlink.js';

/** `struct rtmsg`, all zero but for these. */
interface RouteHeader {
  readonly family?: number;
  readonly prefixLength?: number;
  readonly table?: number;
  readonly protocol?: number;
  readonly scope?: number;
  readonly type?: number;
  readonly flags?: number;
}

function writeHeader(body: BodyWriter, route: RouteHeader): void {
  const header = body.header(12);
  header.writeUInt8(route.family ?? 0, 0);
  header.writeUInt8(route.prefixLength ?? 0, 1);
  header.writeUInt8(route.table ?? 0, 4);
  header.writeUInt8(route.protocol ?? 0, 5);
  header.writeUInt8(route.scope ?? 0, 6);
  header.writeUInt8(route.type ?? 0, 7);
  header.writeUInt32LE(route.flags ?? 0, 8);
}

/** Table 0 is all of them. Larger numbers than the header holds are filtered by the reader. */
export function routeDumpBody(family: number, table: number): Buffer {
  const body = new BodyWriter();
  writeHeader(body, { family, table: table > 255 ? 0 : table });
  return body.written;
}

export function routeBody(route: RouteChange, resolve: Resolve, purpose: 'add' | 'delete'): Buffer {
  const gateway = route.gateway === undefined ? undefined : ipBytes(route.gateway);
  const { bytes, length } = destinationOf(route, gateway);
  const table = route.table ?? rt.RT_TABLE_MAIN;
  const body = new BodyWriter();
  const onLink = route.scope === undefined ? gateway === undefined : route.scope === 'link';
  writeHeader(body, {
    family: bytes.length === 4 ? AF_INET : AF_INET6,
    prefixLength: length,
    table: table > 255 ? 0 : table,
    // A deletion matches whatever it does not name.
    ...(purpose === 'add'
      ? {
          protocol: rt.RTPROT_BOOT,
          type: rt.RTN_UNICAST,
          scope: onLink ? rt.RT_SCOPE_LINK : rt.RT_SCOPE_UNIVERSE,
          flags: route.onLink === true ? rt.RTNH_F_ONLINK : 0,
        }
      : { scope: rt.RT_SCOPE_NOWHERE }),
  });
  if (length > 0) body.bytes(rt.RTA_DST, bytes);
  if (gateway !== undefined) body.bytes(rt.RTA_GATEWAY, gateway);
  if (route.link !== undefined) body.u32(rt.RTA_OIF, resolve(route.link));
  if (route.source !== undefined) body.bytes(rt.RTA_PREFSRC, ipBytes(route.source));
  if (route.metric !== undefined) body.u32(rt.RTA_PRIORITY, route.metric);
  body.u32(rt.RTA_TABLE, table);
  return body.written;
}

function destinationOf(route: RouteChange, gateway: Buffer | undefined): IpPrefix {
  if (route.destination !== 'default') return ipPrefix(route.destination);
  return { bytes: Buffer.alloc(gateway?.length ?? (route.family === 'ipv6' ? 16 : 4)), length: 0 };
}

const types: Readonly<Record<number, Route['type']>> = {
  1: 'unicast',
  2: 'local',
  3: 'broadcast',
  5: 'multicast',
  6: 'blackhole',
  7: 'unreachable',
};

export function readRoute(bytes: Buffer): Route | undefined {
  const family = bytes.readUInt8(0);
  if (family !== AF_INET && family !== AF_INET6) return undefined;
  if ((bytes.readUInt32LE(8) & rt.RTM_F_CLONED) !== 0) return undefined;
  const attributes = readAttributes(bytes.subarray(12));
  const prefixLength = bytes.readUInt8(1);
  const destination = attributes.get(rt.RTA_DST) ?? Buffer.alloc(family === AF_INET ? 4 : 16);
  const gateway = attributes.get(rt.RTA_GATEWAY);
  const source = attributes.get(rt.RTA_PREFSRC);
  return {
    family: family === AF_INET ? 'ipv4' : 'ipv6',
    destination: prefixLength === 0 ? 'default' : `${ipText(destination)}/${prefixLength}`,
    gateway: gateway === undefined ? undefined : ipText(gateway),
    link: attributes.get(rt.RTA_OIF)?.readUInt32LE(),
    source: source === undefined ? undefined : ipText(source),
    metric: attributes.get(rt.RTA_PRIORITY)?.readUInt32LE() ?? 0,
    table: attributes.get(rt.RTA_TABLE)?.readUInt32LE() ?? bytes.readUInt8(4),
    type: types[bytes.readUInt8(7)] ?? 'other',
  };
}
