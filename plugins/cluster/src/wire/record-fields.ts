import { parameter } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';

/** Fields of every record of a swarm. */
export const recordFields = {
  ID: Type.String(),
  Version: Type.Object({ Index: Type.Integer() }),
  CreatedAt: Type.String(),
  UpdatedAt: Type.String(),
};

/** The root that a node or the swarm trusts, and the issuer of its certificate. */
export const TlsInfo = Type.Object({
  TrustRoot: Type.String(),
  CertIssuerSubject: Type.String(),
  CertIssuerPublicKey: Type.String(),
});

/** Of the query of an update. */
export const versionParameter = parameter.requiredWhole('of the record that was read');
