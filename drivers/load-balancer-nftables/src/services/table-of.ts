import type { BalancedService } from '@gantry/core/contracts';
import { oneOf } from '../one-of.js';

const table = 'ip gantry_services';

/** Commands that replace the table of a sandbox, as one transaction. */
export function tableOf(services: readonly BalancedService[]): string {
  // Deleting an absent table is an error, so it is added first.
  const removal = `table ${table}\ndelete table ${table}`;
  if (services.length === 0) return removal;
  const served = services.filter(({ backends }) => backends.length > 0);
  const idle = services.filter(({ backends }) => backends.length === 0).map(({ address }) => address);
  return `${removal}
    table ${table} {
      map services { type ipv4_addr : verdict; ${elements(served.map(({ address }) => `${address} : jump ${chainOf(address)}`))} }
      set idle { type ipv4_addr; ${elements(idle)} }
      ${served.map(chain).join('\n')}
      chain output {
        type nat hook output priority -100; policy accept;
        ip daddr vmap @services
      }
      chain refuse {
        type filter hook output priority 0; policy accept;
        meta l4proto tcp ip daddr @idle reject with tcp reset
        ip daddr @idle reject
      }
    }`;
}

const elements = (list: readonly string[]): string => (list.length === 0 ? '' : `elements = { ${list.join(', ')} };`);

const chainOf = (address: string): string => `to_${address.replaceAll('.', '_')}`;

const chain = ({ address, backends }: BalancedService): string => `chain ${chainOf(address)} {
        dnat to ${oneOf(backends)}
      }`;
