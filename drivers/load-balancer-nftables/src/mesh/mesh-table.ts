import type { BalancedPort } from '@gantry/core/contracts';
import { oneOf } from '../one-of.js';
import { meshLink } from './mesh-link.js';

const table = 'ip gantry_mesh';

/**
 * Commands that replace the table of the mesh's sandbox, as one transaction. A port without backends stays the mesh's own,
 * where nothing listens. Containers on the network cannot use the mesh as a router.
 */
export function meshTable(ports: readonly BalancedPort[]): string {
  const served = ports.filter(({ backends }) => backends.length > 0);
  const verdicts = served.map((port) => `${port.protocol} . ${port.port} : jump ${chainOf(port)}`).join(', ');
  return `table ${table}
    delete table ${table}
    table ${table} {
      ${served.map(chain).join('\n')}
      map published { type inet_proto . inet_service : verdict; ${verdicts === '' ? '' : `elements = { ${verdicts} };`} }
      chain arriving {
        type nat hook prerouting priority -100; policy accept;
        iifname "${meshLink}" meta l4proto . th dport vmap @published
      }
      chain through {
        type filter hook forward priority 0; policy drop;
        ct state established,related accept
        iifname "${meshLink}" ct status dnat accept
      }
      chain leaving {
        type nat hook postrouting priority 100; policy accept;
        iifname "${meshLink}" ct status dnat masquerade
      }
    }`;
}

const chainOf = ({ port, protocol }: BalancedPort): string => `to_${protocol}_${port}`;

const chain = (port: BalancedPort): string =>
  `chain ${chainOf(port)} { meta l4proto ${port.protocol} dnat to ${oneOf(port.backends)}:${port.targetPort}; }`;
