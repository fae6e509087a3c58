import { isIPv4 } from 'node:net';
import type { BalancedService } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';

/** @throws EngineError `invalid-argument` naming the value. */
export function checkServices(services: readonly BalancedService[]): void {
  const seen = new Set<string>();
  for (const { address, backends } of services) {
    for (const each of [address, ...backends]) {
      if (!isIPv4(each)) throw invalidArgument(`"${each}" is not an IPv4 address`);
    }
    if (seen.has(address)) throw invalidArgument(`the virtual address ${address} is listed twice`);
    seen.add(address);
  }
}
