import { createPrivateKey, X509Certificate } from 'node:crypto';
import test from 'ava';
import { createRootCa } from './create-root-ca.js';

test('the root certificate is self-signed, an authority, and belongs to its key', async (t) => {
  const { certificate, key, publicKey } = await createRootCa();
  const parsed = new X509Certificate(certificate);
  t.true(parsed.verify(parsed.publicKey));
  t.true(parsed.ca);
  t.is(parsed.subject, 'CN=swarm-ca');
  t.true(parsed.checkPrivateKey(createPrivateKey(key)));
  t.is(parsed.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'), publicKey);
});
