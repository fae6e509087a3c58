import type { ClusterRecord } from '@gantry/core/contracts';
import { unseal } from '../keys/seal.js';
import { type ClusterState, issuingRoot } from './cluster-kind.js';

/** Spec: swarm record. */
export function toSwarm({ id, revision, createdAt, updatedAt, value }: ClusterRecord<ClusterState>, key: Buffer) {
  const { spec, rootCa, joinTokens, dataPathPort, defaultAddressPools, subnetSize } = value;
  const issuer = issuingRoot(rootCa);
  return {
    ID: id,
    Version: { Index: revision },
    CreatedAt: createdAt,
    UpdatedAt: updatedAt,
    Spec: spec,
    TLSInfo: {
      TrustRoot: rootCa.certificate,
      CertIssuerSubject: issuer.subject,
      CertIssuerPublicKey: issuer.publicKey,
    },
    RootRotationInProgress: rootCa.next !== undefined,
    DataPathPort: dataPathPort,
    DefaultAddrPool: defaultAddressPools,
    SubnetSize: subnetSize,
    JoinTokens: {
      Worker: unseal(key, joinTokens.worker).toString(),
      Manager: unseal(key, joinTokens.manager).toString(),
    },
  };
}
