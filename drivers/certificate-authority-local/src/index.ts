import { CertificateAuthorityDrivers } from '@gantry/core/contracts';
import { defineDriver } from '@gantry/core/driver';
import { Type } from '@sinclair/typebox';
import { LocalCertificateAuthority } from './local-certificate-authority.js';

export default defineDriver({
  id: 'local',
  provides: CertificateAuthorityDrivers,
  configSchema: Type.Object({}, { additionalProperties: false }),
  create: () => LocalCertificateAuthority,
});
