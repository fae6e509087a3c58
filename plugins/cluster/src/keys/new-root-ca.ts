import type { CertificateAuthorityDriver, RootCertificate } from '@gantry/core/contracts';

const hour = 3600 * 1000;
const twentyYears = 20 * 365 * 24 * hour;

/** The root certificate of a swarm. It is valid from an hour ago: the clocks of nodes differ. */
export const newRootCa = (driver: CertificateAuthorityDriver, now: number = Date.now()): Promise<RootCertificate> =>
  driver.createRoot({
    commonName: 'swarm-ca',
    notBefore: new Date(now - hour),
    notAfter: new Date(now + twentyYears),
  });
