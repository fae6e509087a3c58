import type { BalancedPort } from '@gantry/core/contracts';
import { hostAddress, hostLink, meshAddress } from './mesh-link.js';

const table = 'ip gantry_mesh';

/** Commands that remove the table of the host. Deleting an absent table is an error, so it is added first. */
export const removeTable = `table ${table}\ndelete table ${table}`;

/**
 * Commands that replace the table of the host, as one transaction: published ports are translated to the mesh's address. The
 * host's own connections have the address of the link, which is no client's: the mesh masks it.
 */
export function hostTable(ports: readonly BalancedPort[]): string {
  const elements = ports.map(({ port, protocol }) => `${protocol} . ${port}`).join(', ');
  const translate = `fib daddr type local meta l4proto . th dport @published dnat to ${meshAddress}`;
  return `${removeTable}
    table ${table} {
      set published { type inet_proto . inet_service; elements = { ${elements} }; }
      chain martians {
        type filter hook prerouting priority -300; policy accept;
        iifname "${hostLink}" ip saddr 127.0.0.0/8 drop
        iifname "${hostLink}" ip daddr 127.0.0.0/8 drop
      }
      chain arriving {
        type nat hook prerouting priority -100; policy accept;
        iifname != "lo" ip daddr 127.0.0.0/8 return
        ${translate}
      }
      chain own {
        type nat hook output priority -100; policy accept;
        ${translate}
      }
      chain leaving {
        type nat hook postrouting priority 100; policy accept;
        oifname "${hostLink}" fib saddr type local snat to ${hostAddress}
      }
    }`;
}
