import { servicePoint } from '@gantry/core/points';
import type { NamespaceReference } from '../namespaces/namespaces.js';
import { kernelConntrack } from './kernel-conntrack.js';

/** Which connections; what is left out is any. */
export interface ConnectionFilter {
  readonly family: 'ipv4' | 'ipv6';
  readonly protocol: 'tcp' | 'udp' | 'sctp';
  /** Who answers, after address translation: the container behind a published port. */
  readonly answeredBy?: string;
  /** The ports that were asked for, before address translation. */
  readonly destinationPorts?: ReadonlySet<number>;
}

/** What the kernel remembers of connections, and by that does with their packets, whatever the rules say by now. */
export interface Conntrack {
  /**
   * Makes the kernel forget connections, so that their next packets meet the rules again. Synchronous; takes time with
   * the number of connections the kernel knows, some 10 ms for 100,000. @returns how many.
   */
  forget(filter: ConnectionFilter, namespace?: NamespaceReference): number;
}

export const Conntrack = servicePoint<Conntrack>('linux.conntrack', { fallback: () => kernelConntrack });
