import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import certificateAuthority from '@gantry/certificate-authority-local';
import { openDriver } from '@gantry/conformance';
import type { TestOwner } from '@gantry/test-engine';

interface SignRequest {
  readonly certificate_request: string;
  readonly hosts: readonly string[];
  readonly subject: { readonly CN: string; readonly names: readonly { readonly O: string; readonly OU: string }[] };
}

interface Root {
  readonly SigningCACert: string;
  readonly SigningCAKey: string;
}

const day = 24 * 3600 * 1000;

/** An authority with the key of a root, which signs what it is asked for, or else for subjects of its own choice. */
export async function startAuthority(t: TestOwner, { SigningCACert: certificate, SigningCAKey: key }: Root) {
  const { driver, release } = await openDriver(certificateAuthority);
  const root = await driver.importRoot(certificate, key);
  const behaviour = { clients: [] as string[], commonName: undefined as string | undefined };
  const sign = (request: string, commonName: string, organization: string, unit: string, names: readonly string[]) =>
    driver.issue(request, {
      issuer: { type: 'root', root },
      subject: { commonName, organization, organizationalUnit: unit },
      ...{ names, notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + 30 * day) },
    });
  const own = await driver.createRequest();
  const cert = await sign(own.request, 'authority', 'authority', 'authority', ['localhost']);
  const options = { key: own.key, cert, requestCert: true, rejectUnauthorized: false };
  const server = createServer(options, async (request, response) => {
    const { certificate_request: csr, hosts, subject } = (await json(request)) as SignRequest;
    behaviour.clients.push(String((request.socket as TLSSocket).getPeerCertificate().subject.OU));
    const [{ O: organization = '', OU: unit = '' } = {}] = subject.names;
    const signed = await sign(csr, behaviour.commonName ?? subject.CN, organization, unit, hosts);
    response.end(JSON.stringify({ success: true, result: { certificate: signed }, errors: [], messages: [] }));
  }).listen(0, 'localhost');
  await once(server, 'listening');
  t.teardown(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await release();
  });
  return { behaviour, URL: `https://localhost:${(server.address() as AddressInfo).port}/api/v1/cfssl/sign` };
}
