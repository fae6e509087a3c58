import local from '@gantry/certificate-authority-local';
import type { CertificateAuthorityDriver } from '@gantry/core/contracts';
import test from 'ava';
import { renewalTime } from './renewal-time.js';

test('a certificate is renewed at 50 to 80 percent of its life', async (t) => {
  const driver = new ((await local.create({} as never)) as unknown as new () => CertificateAuthorityDriver)();
  const [from, to] = [1_700_000_000_000, 1_700_000_100_000];
  const root = await driver.createRoot({ commonName: 'swarm-ca', notBefore: new Date(from), notAfter: new Date(to) });
  t.is(renewalTime(root.certificate, 0), from + 50_000);
  t.is(renewalTime(root.certificate, 1), from + 80_000);
  const random = renewalTime(root.certificate);
  t.true(random >= from + 50_000 && random <= from + 80_000);
});
