import { isErrno } from '../errors/linux-error.js';
import { AF_INET, AF_INET6 } from '../ffi/constants.js';
import { kernelNamespaces } from '../namespaces/kernel-namespaces.js';
import type { NamespaceReference } from '../namespaces/namespaces.js';
import { BodyWriter, readAttributes } from '../netlink/attributes.js';
import { NETLINK_NETFILTER } from '../netlink/constants.js';
import { NetlinkTransport } from '../netlink/netlink-transport.js';
import { ipBytes } from '../sockets/ip-address.js';
import type { ConnectionFilter, Conntrack } from './conntrack.js';

/** Numbers of nfnetlink: the subsystem is the upper byte of a message's type. */
const NFNL_SUBSYS_CTNETLINK = 1 << 8;
const IPCTNL_MSG_CT_GET = NFNL_SUBSYS_CTNETLINK | 1;
const IPCTNL_MSG_CT_DELETE = NFNL_SUBSYS_CTNETLINK | 2;
const CTA_TUPLE_ORIG = 1;
const CTA_TUPLE_REPLY = 2;
const CTA_ID = 12;
const CTA_FILTER = 25;
const CTA_TUPLE_IP = 1;
const CTA_TUPLE_PROTO = 2;
const CTA_IP_V4_SRC = 1;
const CTA_IP_V6_SRC = 3;
const CTA_PROTO_NUM = 1;
const CTA_PROTO_DST_PORT = 3;
const CTA_FILTER_ORIG_FLAGS = 1;
const CTA_FILTER_REPLY_FLAGS = 2;
const FILTER_IP_SRC = 1 << 0;
const FILTER_PROTO_NUM = 1 << 3;
const FILTER_PROTO_DST_PORT = 1 << 5;
/** `struct nfgenmsg` */
const headerBytes = 4;

const families = { ipv4: AF_INET, ipv6: AF_INET6 } as const;
const protocols = { tcp: 6, udp: 17, sctp: 132 } as const;

/** What it takes to name one connection. */
interface Entry {
  readonly original: Buffer;
  readonly id: Buffer | undefined;
}

const flagged = { flagged: true } as const;

function start(family: ConnectionFilter['family']): BodyWriter {
  const body = new BodyWriter();
  body.header(headerBytes).writeUInt8(families[family], 0);
  return body;
}

/** The kernel filters by one port at most; kernels before 5.8 ignore the filter and dump every entry. */
function question(filter: ConnectionFilter): Buffer {
  const { family, protocol, answeredBy, destinationPorts } = filter;
  const [destinationPort, ...others] = destinationPorts ?? [];
  const isOnePort = destinationPort !== undefined && others.length === 0;
  const body = start(family);
  body.nested(
    CTA_TUPLE_ORIG,
    () => {
      body.nested(
        CTA_TUPLE_PROTO,
        () => {
          body.u8(CTA_PROTO_NUM, protocols[protocol]);
          if (isOnePort) body.u16be(CTA_PROTO_DST_PORT, destinationPort);
        },
        flagged,
      );
    },
    flagged,
  );
  if (answeredBy !== undefined) {
    const source = family === 'ipv4' ? CTA_IP_V4_SRC : CTA_IP_V6_SRC;
    const writeSource = () => body.nested(CTA_TUPLE_IP, () => body.bytes(source, ipBytes(answeredBy)), flagged);
    body.nested(CTA_TUPLE_REPLY, writeSource, flagged);
  }
  body.nested(
    CTA_FILTER,
    () => {
      body.u32(CTA_FILTER_ORIG_FLAGS, FILTER_PROTO_NUM | (isOnePort ? FILTER_PROTO_DST_PORT : 0));
      body.u32(CTA_FILTER_REPLY_FLAGS, answeredBy === undefined ? 0 : FILTER_IP_SRC);
    },
    flagged,
  );
  return body.written;
}

function readEntry(answer: Buffer, { family, protocol, answeredBy, destinationPorts }: ConnectionFilter) {
  const attributes = readAttributes(answer.subarray(headerBytes));
  const original = attributes.get(CTA_TUPLE_ORIG);
  const reply = attributes.get(CTA_TUPLE_REPLY);
  if (original === undefined || reply === undefined) return undefined;
  const asked = nested(original, CTA_TUPLE_PROTO);
  if (asked?.get(CTA_PROTO_NUM)?.[0] !== protocols[protocol]) return undefined;
  if (destinationPorts?.has(asked.get(CTA_PROTO_DST_PORT)?.readUInt16BE() ?? 0) === false) return undefined;
  const source = nested(reply, CTA_TUPLE_IP)?.get(family === 'ipv4' ? CTA_IP_V4_SRC : CTA_IP_V6_SRC);
  if (answeredBy !== undefined && source?.equals(ipBytes(answeredBy)) !== true) return undefined;
  const id = attributes.get(CTA_ID);
  return { original: Buffer.from(original), id: id && Buffer.from(id) };
}

function nested(bytes: Buffer, type: number): ReadonlyMap<number, Buffer> | undefined {
  const found = readAttributes(bytes).get(type);
  return found && readAttributes(found);
}

function deletion({ family }: ConnectionFilter, { original, id }: Entry): Buffer {
  const body = start(family);
  body.bytes(CTA_TUPLE_ORIG | 0x8000, original);
  if (id !== undefined) body.bytes(CTA_ID, id);
  return body.written;
}

function forget(filter: ConnectionFilter, namespace?: NamespaceReference): number {
  const make = (): NetlinkTransport => new NetlinkTransport(NETLINK_NETFILTER);
  const transport = namespace === undefined ? make() : kernelNamespaces.runInNetwork(namespace, make);
  try {
    const request = { type: IPCTNL_MSG_CT_GET, flags: 0, body: question(filter), about: 'connections' };
    const entries = transport.dump(request, (answer) => readEntry(answer, filter));
    return entries.filter((entry) => remove(transport, deletion(filter, entry))).length;
  } finally {
    transport.close();
  }
}

/** False when the connection has ended by itself meanwhile. */
function remove(transport: NetlinkTransport, body: Buffer): boolean {
  try {
    transport.change([{ type: IPCTNL_MSG_CT_DELETE, flags: 0, body, about: 'connection' }]);
    return true;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false;
    throw error;
  }
}

export const kernelConntrack: Conntrack = { forget };
