import { servicePoint } from '@gantry/core/points';
import type { NamespaceReference } from '../namespaces/namespaces.js';
import { kernelIpsec } from './kernel-ipsec.js';

/** ESP between two hosts in one direction, in transport mode. Addresses are of one family. */
export interface SecurityAssociation {
  readonly source: string;
  readonly destination: string;
  /** Names it in packets to its destination: 256 or more. */
  readonly spi: number;
  /** Which policies use it: not 0. */
  readonly requestId: number;
}

/** Of AES in Galois/Counter mode, with 16 bytes that authenticate each packet. */
export interface NewSecurityAssociation extends SecurityAssociation {
  /** 32 bytes of the cipher's key, and 4 of its salt. */
  readonly key: Uint8Array;
}

/**
 * UDP packets of one direction have to be protected by ESP, in transport mode: others are neither sent nor received. What
 * is left out is any.
 */
export interface ProtectionPolicy {
  readonly direction: 'in' | 'out';
  readonly family: 'ipv4' | 'ipv6';
  readonly source?: string;
  readonly destination?: string;
  readonly destinationPort: number;
  /** Of the associations that protect the packets. */
  readonly requestId: number;
}

/**
 * Associations and policies of a network namespace, the calling thread's by default. Synchronous. Every method throws
 * LinuxError: `EPROTONOSUPPORT` where the kernel has no IPsec or no ESP, `ENOSYS` where it lacks the cipher.
 */
export interface Ipsec {
  /** Throws as the others do where the kernel cannot protect packets. Changes nothing. */
  probe(namespace?: NamespaceReference): void;
  /** Of all request ids. */
  associations(namespace?: NamespaceReference): readonly SecurityAssociation[];
  /** Throws `EEXIST` when the destination has one with this SPI. */
  addAssociation(association: NewSecurityAssociation, namespace?: NamespaceReference): void;
  /** Absent: does nothing. */
  deleteAssociation(association: SecurityAssociation, namespace?: NamespaceReference): void;
  /** Those of this form among all policies. */
  policies(namespace?: NamespaceReference): readonly ProtectionPolicy[];
  /** Replaces one for the same packets. */
  setPolicy(policy: ProtectionPolicy, namespace?: NamespaceReference): void;
  /** Absent: does nothing. */
  deletePolicy(policy: ProtectionPolicy, namespace?: NamespaceReference): void;
}

export const Ipsec = servicePoint<Ipsec>('linux.ipsec', { fallback: () => kernelIpsec });
