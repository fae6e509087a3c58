import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { eventually } from '@gantry/test-engine';
import test from 'ava';
import { importHarness, importPath } from '../testing/harness.js';

test('every authority of every configured file is trusted', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'gantry-authorities-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const file = join(directory, 'bundle.pem');
  const bundle = rootCertificates.slice(0, 2);
  await writeFile(file, `# ours\n${bundle.join('\n# and\n')}`);
  const other = join(directory, 'other.pem');
  await writeFile(other, `${rootCertificates[2]}`);
  const { ask, fake, token } = await importHarness(t, { config: { certificateAuthorities: [file, other] } });
  const body = { vcs_url: 'https://source.example/x' };
  t.is((await ask('PUT', importPath, { token: await token('octavia'), body })).status, 201);
  await eventually('the detection', () => fake.sources.length > 0);
  t.deepEqual(
    fake.authorities.map((pem) => pem.trim()),
    rootCertificates.slice(0, 3).map((pem) => pem.trim()),
  );
  for (const [text, message] of [
    ['', /certificateAuthorities: \S+bundle\.pem holds no certificate/],
    ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', /holds something other than a certificate/],
  ] as const) {
    await writeFile(file, text);
    await t.throwsAsync(importHarness(t, { config: { certificateAuthorities: [file] } }), { message });
  }
  const missing = importHarness(t, { config: { certificateAuthorities: [join(directory, 'none')] } });
  await t.throwsAsync(missing, { message: /cannot be read/ });
});
