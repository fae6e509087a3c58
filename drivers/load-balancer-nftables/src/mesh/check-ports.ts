import { isIPv4 } from 'node:net';
import type { BalancedPort } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';

/** What names a port of the host. */
export const keyOf = ({ port, protocol }: BalancedPort): string => `${port}/${protocol}`;

/** @throws EngineError `invalid-argument` naming the value. */
export function checkPorts(ports: readonly BalancedPort[]): void {
  const seen = new Set<string>();
  for (const each of ports) {
    for (const number of [each.port, each.targetPort]) {
      if (!Number.isInteger(number) || number < 1 || number > 65_535) throw invalidArgument(`${number} is not a port`);
    }
    for (const backend of [...each.backends, ...(each.transparent ?? [])]) {
      if (!isIPv4(backend)) throw invalidArgument(`"${backend}" is not an IPv4 address`);
    }
    if (seen.has(keyOf(each))) throw invalidArgument(`the port ${keyOf(each)} is listed twice`);
    seen.add(keyOf(each));
  }
}
