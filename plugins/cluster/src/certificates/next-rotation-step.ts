import type { RootCa, SigningRoot } from '../records/cluster-kind.js';
import type { Node } from '../records/node-kind.js';

/**
 * The root after the next step of its rotation; undefined when there is no rotation, or a node is not ready for the step.
 *
 * 1. Nodes get certificates that the next root has issued, with the one that leads to the present root, which all trust.
 * 2. Every node has one: the next root is the trusted one. Both sides of every connection still verify each other.
 * 3. Every node trusts it: certificates do not lead to the root before any more.
 */
export function nextRotationStep(rootCa: RootCa, nodes: readonly Node[]): RootCa | undefined {
  const { chain, forcedRotation, next, ...root } = rootCa;
  const numbered = forcedRotation === undefined ? {} : { forcedRotation };
  if (next !== undefined) {
    return nodes.every((node) => hasCertificateOf(node, next)) ? { ...next, ...numbered } : undefined;
  }
  if (chain === undefined) return undefined;
  return nodes.every((node) => trustsOnly(node, root)) ? { ...root, ...numbered } : undefined;
}

const hasCertificateOf = ({ description: { TLSInfo } }: Node, { publicKey, subject }: SigningRoot): boolean =>
  TLSInfo?.CertIssuerPublicKey === publicKey && TLSInfo.CertIssuerSubject === subject;

const trustsOnly = ({ description: { TLSInfo } }: Node, { certificate }: SigningRoot): boolean =>
  TLSInfo?.TrustRoot === certificate;
