import { isIP, isIPv4 } from 'node:net';
import type { AnswerPath } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';
import { ipBytes } from '@gantry/lib-linux/sockets';

const table = 'gantry_answers';

/** Commands that remove the tables of a sandbox. Deleting an absent table is an error, so it is added first. */
export const removeAnswers = ['ip', 'netdev']
  .map((family) => `table ${family} ${table}\ndelete table ${family} ${table}`)
  .join('\n');

/**
 * Commands that replace the tables of a sandbox, as one transaction.
 *
 * A connection carries as its mark which mesh it came by, and so do the packets of its answers: a rule routes those over
 * the interface, and the last table addresses them to that mesh. Each mesh has a zone of connection tracking for what
 * arrives, but not for answers. So a client that has one source port through two meshes has two connections, and the later
 * one is given another port: their answers could not be distinguished otherwise.
 *
 * A server that answers packets from an unbound socket sends from the address of its default route: `sources` knows which
 * one the client expects. It outlives the transaction, since packets may be sent before the next one arrives.
 */
export function answerTables(interfaceName: string, { meshes, subnets }: AnswerPath): string {
  const elements = (list: readonly string[]): string => (list.length === 0 ? '' : `elements = { ${list.join(', ')} };`);
  const marks = meshes.map(({ address, macAddress }) => [macAddress, hex(markOf(address))] as const);
  const zones = meshes.map(({ address, macAddress }) => `${macAddress} : ${markOf(address) & 0xffff}`);
  const fromOutside = `iifname "${interfaceName}" ip saddr != { ${subnets.join(', ')} }`;
  const unconnected = 'meta l4proto { udp, sctp }';
  const chains = {
    zoned: 'type filter hook prerouting priority -300; policy accept;',
    arriving: 'type filter hook prerouting priority -150; policy accept;',
    distinct: 'type nat hook input priority 100; policy accept;',
    received: 'type filter hook input priority 150; policy accept;',
    restored: 'type filter hook output priority -300; policy accept;',
    answers: 'type route hook output priority -150; policy accept;',
  };
  const flow = (client: 's' | 'd', port: 's' | 'd', own: 's' | 'd') =>
    `ip ${client}addr . meta l4proto . th ${port}port . th ${own}port`;
  return `
    table ip ${table} {
      map marks { type ether_addr : mark; }
      map zones { typeof ether saddr : ct zone; }
      set known { type mark; }
      map sources {
        type ipv4_addr . inet_proto . inet_service . inet_service : ipv4_addr;
        flags dynamic,timeout; timeout 10m; size 65536;
      }
      chain outside { }
      ${Object.entries(chains)
        .map(([name, hook]) => `chain ${name} { ${hook} }`)
        .join('\n')}
    }
    ${['outside', ...Object.keys(chains)].map((name) => `flush chain ip ${table} ${name}`).join('\n')}
    flush map ip ${table} marks
    flush map ip ${table} zones
    flush set ip ${table} known
    table ip ${table} {
      map marks { type ether_addr : mark; ${elements(marks.map(([mac, mark]) => `${mac} : ${mark}`))} }
      map zones { typeof ether saddr : ct zone; ${elements(zones)} }
      set known { type mark; ${elements(marks.map(([, mark]) => mark))} }
      chain outside {
        meta mark set 0
        meta mark set ether saddr map @marks
        meta mark 0 drop
        ct mark set meta mark
      }
      chain zoned {
        ${fromOutside} ct original zone set ether saddr map @zones
      }
      chain arriving {
        ${fromOutside} jump outside
      }
      chain received {
        ct direction original ct mark @known ${unconnected} update @sources { ${flow('s', 's', 'd')} : ip daddr }
      }
      chain restored {
        ${unconnected} ip saddr set ${flow('d', 'd', 's')} map @sources
      }
      chain answers {
        ct direction reply ct mark @known meta mark set ct mark
      }
    }
    table netdev ${table}
    delete table netdev ${table}
    table netdev ${table} {
      map meshes { type mark : ether_addr; ${elements(marks.map(([mac, mark]) => `${mark} : ${mac}`))} }
      chain leaving {
        type filter hook egress device "${interfaceName}" priority 0; policy accept;
        ether daddr set meta mark map @meshes
      }
    }`;
}

/** The bits of the marks of the meshes in a subnet: their addresses. */
export function marksOf(subnet: string): { readonly value: number; readonly mask: number } {
  const [address = '', length = ''] = subnet.split('/');
  const mask = Number(length) === 0 ? 0 : (0xffff_ffff << (32 - Number(length))) >>> 0;
  return { value: (markOf(address) & mask) >>> 0, mask };
}

/** @throws EngineError `invalid-argument` naming the value. */
export function checkPath({ address, meshes, subnets }: AnswerPath): void {
  if (!isIPv4(address)) throw invalidArgument(`"${address}" is not an IPv4 address`);
  for (const subnet of subnets) {
    const [network = '', length = ''] = subnet.split('/');
    if (isIP(network) !== 4 || !/^([1-9]|[12]\d|3[0-2])$/.test(length)) {
      throw invalidArgument(`"${subnet}" is not an IPv4 subnet such as 10.0.0.0/24`);
    }
  }
  const seen = new Set<string>();
  for (const mesh of meshes) {
    if (!isIPv4(mesh.address)) throw invalidArgument(`"${mesh.address}" is not an IPv4 address`);
    if (!/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(mesh.macAddress)) {
      throw invalidArgument(`"${mesh.macAddress}" is not a MAC address`);
    }
    for (const key of [mesh.address, mesh.macAddress.toLowerCase()]) {
      if (seen.has(key)) throw invalidArgument(`the mesh ${key} is listed twice`);
      seen.add(key);
    }
  }
}

const markOf = (address: string): number => ipBytes(address).readUInt32BE();

const hex = (mark: number): string => `0x${mark.toString(16).padStart(8, '0')}`;
