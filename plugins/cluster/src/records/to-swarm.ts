import type { ClusterRecord } from '@gantry/core/contracts';
import { unseal } from '../keys/seal.js';
import type { ClusterState } from './cluster-kind.js';

/** Spec: swarm record. */
export function toSwarm({ id, revision, createdAt, updatedAt, value }: ClusterRecord<ClusterState>, key: Buffer) {
  const { spec, rootCa, joinTokens, dataPathPort, defaultAddressPools, subnetSize } = value;
  return {
    ID: id,
    Version: { Index: revision },
    CreatedAt: createdAt,
    UpdatedAt: updatedAt,
    Spec: spec,
    TLSInfo: {
      TrustRoot: rootCa.certificate,
      CertIssuerSubject: rootCa.subject,
      CertIssuerPublicKey: rootCa.publicKey,
    },
    RootRotationInProgress: false,
    DataPathPort: dataPathPort,
    DefaultAddrPool: defaultAddressPools,
    SubnetSize: subnetSize,
    JoinTokens: {
      Worker: unseal(key, joinTokens.worker).toString(),
      Manager: unseal(key, joinTokens.manager).toString(),
    },
  };
}
