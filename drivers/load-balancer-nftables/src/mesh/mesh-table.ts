import type { BalancedPort } from '@gantry/core/contracts';
import { oneOf } from '../one-of.js';
import { linkSubnet, meshLink } from './mesh-link.js';

const table = 'ip gantry_mesh';

/**
 * Commands that replace the table of the mesh's sandbox, as one transaction. A port without backends stays the mesh's own,
 * where nothing listens. Containers on the network cannot use the mesh as a router.
 *
 * The client's address stays towards backends that answer through this mesh. It does not when they would not send their
 * answers here: to addresses of this host's own, and those that are on their network.
 * @param subnets of the networks that the mesh is on.
 */
export function meshTable(ports: readonly BalancedPort[], subnets: readonly string[]): string {
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
        ${keptAddresses(served, subnets)}
        iifname "${meshLink}" ct status dnat masquerade
      }
    }`;
}

function keptAddresses(ports: readonly BalancedPort[], subnets: readonly string[]): string {
  const backends = new Set(
    ports.flatMap(({ backends: all, transparent = [] }) => transparent.filter((each) => all.includes(each))),
  );
  if (backends.size === 0) return '';
  const masked = [...subnets, linkSubnet].join(', ');
  return `iifname "${meshLink}" ct status dnat ip saddr != { ${masked} } ip daddr { ${[...backends].join(', ')} } accept`;
}

const chainOf = ({ port, protocol }: BalancedPort): string => `to_${protocol}_${port}`;

const chain = (port: BalancedPort): string =>
  `chain ${chainOf(port)} { meta l4proto ${port.protocol} dnat to ${oneOf(port.backends)}:${port.targetPort}; }`;
