import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { CertificateAuthorityDriver, IssueOptions, RootCertificate } from '@gantry/core/contracts';
import { atOnce, rejects } from './expectations.js';
import { defineSuite } from './suite.js';

const hour = 3600 * 1000;
const now = Math.floor(Date.now() / 1000) * 1000; // certificates know no milliseconds
const notBefore = new Date(now - hour);
const notAfter = new Date(now + 90 * 24 * hour);

/** The promises of `contracts/certificate-authority.ts`. */
export const certificateAuthorityDriverSuite = defineSuite<CertificateAuthorityDriver>(
  'certificate-authority',
  (suite) => {
    suite.check('a root is self-signed, an authority, and describes itself', async (t, { driver }) => {
      const root = await newRoot(driver);
      const certificate = new X509Certificate(root.certificate);
      t.true(certificate.ca);
      t.true(certificate.verify(certificate.publicKey));
      t.true(certificate.checkPrivateKey(createPrivateKey(root.key)));
      t.is(certificate.subject, 'CN=swarm-ca');
      t.is(new Date(certificate.validTo).getTime(), notAfter.getTime());
      t.is(root.publicKey, certificate.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'));
      t.true(certificate.raw.includes(Buffer.from(root.subject, 'base64')));
    });

    suite.check('an imported root describes itself as it did when it was made', async (t, { driver }) => {
      const root = await newRoot(driver);
      t.deepEqual(await driver.importRoot(root.certificate, root.key), root);
    });

    suite.check('a root whose key is elsewhere is imported without one', async (t, { driver }) => {
      const root = await newRoot(driver);
      const { key: _key, ...shown } = root;
      t.deepEqual(await driver.importRoot(root.certificate, undefined), shown);
      const { request } = await driver.createRequest();
      const leaf = await driver.issue(request, optionsOf(root));
      await rejects(t, driver.importRoot(leaf, undefined), 'invalid-argument');
      await rejects(t, driver.importRoot('x', undefined), 'invalid-argument');
    });

    suite.check('what is no authority, and a key of another root, are not imported', async (t, { driver }) => {
      const [root, other] = [await newRoot(driver), await newRoot(driver)];
      const { key, request } = await driver.createRequest();
      const leaf = await driver.issue(request, optionsOf(root));
      await rejects(t, driver.importRoot(leaf, key), 'invalid-argument');
      await rejects(t, driver.importRoot(root.certificate, other.key), 'invalid-argument');
      await rejects(t, driver.importRoot('x', root.key), 'invalid-argument');
      await rejects(t, driver.importRoot(root.certificate, 'x'), 'invalid-argument');
    });

    suite.check('a certificate has the subject, names and times it was issued with', async (t, { driver }) => {
      const root = await newRoot(driver);
      const { key, request } = await driver.createRequest();
      const certificate = new X509Certificate(await driver.issue(request, optionsOf(root)));
      t.is(certificate.subject, 'O=swarm1\nOU=swarm-worker\nCN=node1');
      t.is(certificate.subjectAltName, 'DNS:swarm-worker, DNS:node1');
      t.is(new Date(certificate.validFrom).getTime(), notBefore.getTime());
      t.is(new Date(certificate.validTo).getTime(), notAfter.getTime());
      t.false(certificate.ca);
      t.true(certificate.checkPrivateKey(createPrivateKey(key)));
      t.true(certificate.verify(new X509Certificate(root.certificate).publicKey));
      t.true(certificate.checkIssued(new X509Certificate(root.certificate)));
    });

    suite.check('20 certificates issued at once have 20 keys and 20 serial numbers', async (t, { driver }) => {
      const root = await newRoot(driver);
      const certificates = await atOnce(20, async () => {
        const { request } = await driver.createRequest();
        return new X509Certificate(await driver.issue(request, optionsOf(root)));
      });
      t.is(new Set(certificates.map(({ serialNumber }) => serialNumber)).size, 20);
      t.is(new Set(certificates.map(({ publicKey }) => keyText(publicKey))).size, 20);
    });

    suite.check('a request that is not signed with its own key is refused', async (t, { driver }) => {
      const root = await newRoot(driver);
      const { request } = await driver.createRequest();
      await rejects(t, driver.issue('x', optionsOf(root)), 'invalid-argument');
      await rejects(t, driver.issue(withOtherSignature(request), optionsOf(root)), 'invalid-argument');
    });

    suite.check(
      'nodes of a new root are trusted by the old one, through its cross-signed certificate',
      async (t, { driver }) => {
        const [old, next] = [await newRoot(driver), await newRoot(driver)];
        const cross = await driver.crossSign(next, old);
        const { request } = await driver.createRequest();
        const { issuer, ...options } = optionsOf(next);
        const bundle = await driver.issue(request, {
          ...options,
          issuer: { ...issuer, chain: cross } as typeof issuer,
        });
        t.true(bundle.endsWith(cross));
        const [leaf, between] = [new X509Certificate(bundle), new X509Certificate(cross)];
        t.true(between.ca);
        t.true(between.verify(new X509Certificate(old.certificate).publicKey));
        t.true(leaf.checkIssued(between));
        t.true(leaf.verify(between.publicKey));
        t.is(keyText(between.publicKey), keyText(new X509Certificate(next.certificate).publicKey));
      },
    );

    suite.check('an external authority that does not answer is unavailable, and is named', async (t, { driver }) => {
      const root = await newRoot(driver);
      const { request } = await driver.createRequest();
      const url = 'https://127.0.0.1:1/api/v1/cfssl/sign';
      const issuer = { type: 'cfssl', url, trust: root.certificate, client: root } as const;
      await rejects(t, driver.issue(request, { ...optionsOf(root), issuer }), 'unavailable', /127\.0\.0\.1:1/);
    });
  },
);

const newRoot = (driver: CertificateAuthorityDriver): Promise<RootCertificate> =>
  driver.createRoot({ commonName: 'swarm-ca', notBefore, notAfter });

const optionsOf = (root: RootCertificate): IssueOptions => ({
  issuer: { type: 'root', root },
  subject: { commonName: 'node1', organizationalUnit: 'swarm-worker', organization: 'swarm1' },
  names: ['swarm-worker', 'node1'],
  notBefore,
  notAfter,
});

const keyText = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();

/** The last byte is one of the signature. */
function withOtherSignature(request: string): string {
  const der = Buffer.from(request.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  der.writeUInt8(der.readUInt8(der.length - 1) ^ 1, der.length - 1);
  return `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
}
