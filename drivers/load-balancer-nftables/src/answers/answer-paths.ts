import type { AnswerPath } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux/errors';
import { Netlink, type NetlinkSocket, Sysctl } from '@gantry/lib-linux/netlink';
import { Nftables } from '@gantry/lib-linux/nftables';
import { answerTables, marksOf, removeAnswers } from './answer-table.js';

/** Of the routes of answers, and of the rules that lead to it: before that of the main table. */
const table = 21_577;
const priority = 1_000;

/** A gateway that is not there: the egress hook addresses packets to the mesh that they are for. */
const gateway = '169.254.215.3';
const gatewayMac = '02:42:00:00:00:00';

/** Answers of sandboxes through the meshes that connections came by. Synchronous: calls take effect in their order. */
@injectable()
export class AnswerPaths {
  constructor(
    @inject(Nftables.token) private readonly nftables: Nftables,
    @inject(Netlink.token) private readonly netlink: Netlink,
    @inject(Sysctl.token) private readonly sysctl: Sysctl,
  ) {}

  /** @throws EngineError `invalid-argument`; LinuxError or NftablesError for what the kernel lacks. */
  set(namespace: string, path: AnswerPath): void {
    const name = this.netlink.use(namespace, (inside) => interfaceWith(inside, path.address));
    // Sockets of TCP answer by the mark of the packet that they began with, so that they know the interface and its MTU.
    this.sysctl.write('net/ipv4/tcp_fwmark_accept', 1, namespace);
    // The route back of what arrives is by its mark, too, for those who check it (rp_filter).
    this.sysctl.write(`net/ipv4/conf/${name}/src_valid_mark`, 1, namespace);
    this.netlink.use(namespace, (inside) => {
      inside.addNeighbour({ link: name, address: gateway, macAddress: gatewayMac });
      inside.replaceRoute({ destination: 'default', gateway, link: name, onLink: true, table });
      replaceRules(inside, path.subnets);
    });
    this.#run(answerTables(name, path), namespace);
  }

  remove(namespace: string): void {
    this.#run(removeAnswers, namespace);
    this.netlink.use(namespace, (inside) => {
      replaceRules(inside, []);
      for (const { link } of inside.routes({ table })) {
        if (link === undefined) continue;
        inside.deleteRoute({ destination: 'default', gateway, link, table });
        ignoreAbsent(() => inside.deleteNeighbour({ link, address: gateway, macAddress: gatewayMac }));
        const name = inside.link(link)?.name;
        if (name !== undefined) this.sysctl.write(`net/ipv4/conf/${name}/src_valid_mark`, 0, namespace);
      }
    });
    if (this.sysctl.read('net/ipv4/tcp_fwmark_accept', namespace) === '1') {
      this.sysctl.write('net/ipv4/tcp_fwmark_accept', 0, namespace);
    }
  }

  #run(commands: string, namespace: string): void {
    const session = this.nftables.open({ namespace });
    try {
      session.runSync(commands);
    } finally {
      session.close();
    }
  }
}

function interfaceWith(inside: NetlinkSocket, address: string): string {
  const own = inside.addresses().find((each) => each.address.split('/')[0] === address);
  const name = own === undefined ? undefined : inside.link(own.link)?.name;
  if (name === undefined) throw invalidArgument(`the sandbox has no interface with the address ${address}`);
  return name;
}

/** Interfaces without ARP, such as that of the loopback, have no neighbours. */
function ignoreAbsent(remove: () => void): void {
  try {
    remove();
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
}

/** New ones come first, so that at no moment one is missing that stays. */
function replaceRules(inside: NetlinkSocket, subnets: readonly string[]): void {
  const wanted = subnets.map((subnet) => ({ priority, mark: marksOf(subnet), table }));
  for (const rule of wanted) {
    try {
      inside.addRule(rule);
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw error;
    }
  }
  for (const rule of inside.rules().filter((present) => present.table === table)) {
    const isWanted = wanted.some(({ mark }) => mark.value === rule.mark.value && mark.mask === rule.mark.mask);
    if (!isWanted) inside.deleteRule(rule);
  }
}
