import { kernelNamespaces } from '../namespaces/kernel-namespaces.js';
import { BodyWriter, listItems, readAttributes } from '../netlink/attributes.js';
import { NETLINK_NETFILTER } from '../netlink/constants.js';
import { NetlinkTransport, type Request } from '../netlink/netlink-transport.js';
import type { NftablesOptions, NftFamily, RulesetView } from './nftables.js';

/** Numbers of nfnetlink: the subsystem is the upper byte of a message's type. */
const NFNL_SUBSYS_NFTABLES = 10 << 8;
const NFT_MSG_GETRULE = NFNL_SUBSYS_NFTABLES | 7;
const NFT_MSG_GETSETELEM = NFNL_SUBSYS_NFTABLES | 13;
const NFT_MSG_GETGEN = NFNL_SUBSYS_NFTABLES | 16;
const NFTA_GEN_ID = 1;
const NFTA_RULE_TABLE = 1;
const NFTA_SET_ELEM_LIST_TABLE = 1;
const NFTA_SET_ELEM_LIST_SET = 2;
const NFTA_SET_ELEM_LIST_ELEMENTS = 3;
const NFTA_SET_ELEM_FLAGS = 3;
const NFT_SET_ELEM_INTERVAL_END = 1;
/** `struct nfgenmsg` */
const headerBytes = 4;

const families: Readonly<Record<NftFamily, number>> = { inet: 1, ip: 2, arp: 3, netdev: 5, bridge: 7, ip6: 10 };

class KernelRulesetView implements RulesetView {
  constructor(private readonly transport: NetlinkTransport) {}

  generation(): number {
    const body = new BodyWriter();
    body.header(headerBytes);
    return this.transport.get(question(NFT_MSG_GETGEN, body, 'generation'), (answer) => {
      return readAttributes(answer.subarray(headerBytes)).get(NFTA_GEN_ID)?.readUInt32BE() ?? 0;
    });
  }

  countRules(family: NftFamily, table: string): number {
    const body = new BodyWriter();
    body.header(headerBytes).writeUInt8(families[family], 0);
    body.text(NFTA_RULE_TABLE, table);
    return this.transport.dump(question(NFT_MSG_GETRULE, body, table), () => true).length;
  }

  countElements(family: NftFamily, table: string, set: string): number {
    const body = new BodyWriter();
    body.header(headerBytes).writeUInt8(families[family], 0);
    body.text(NFTA_SET_ELEM_LIST_TABLE, table);
    body.text(NFTA_SET_ELEM_LIST_SET, set);
    const counts = this.transport.dump(question(NFT_MSG_GETSETELEM, body, set), (answer) => {
      const elements = readAttributes(answer.subarray(headerBytes)).get(NFTA_SET_ELEM_LIST_ELEMENTS);
      return elements === undefined ? 0 : listItems(elements).filter((element) => !isIntervalEnd(element)).length;
    });
    return counts.reduce((sum, count) => sum + count, 0);
  }

  close(): void {
    this.transport.close();
  }
}

/** An interval is two elements to the kernel. */
const isIntervalEnd = (element: Buffer): boolean =>
  ((readAttributes(element).get(NFTA_SET_ELEM_FLAGS)?.readUInt32BE() ?? 0) & NFT_SET_ELEM_INTERVAL_END) !== 0;

function question(type: number, body: BodyWriter, about: string): Request {
  return { type, flags: 0, body: body.written, about };
}

export function openView({ namespace }: NftablesOptions = {}): RulesetView {
  const make = (): NetlinkTransport => new NetlinkTransport(NETLINK_NETFILTER);
  return new KernelRulesetView(namespace === undefined ? make() : kernelNamespaces.runInNetwork(namespace, make));
}
