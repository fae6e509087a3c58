import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { CertificateIssuer, IssueOptions } from '@gantry/core/contracts';
import { isRecord } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';

type Cfssl = Extract<CertificateIssuer, { type: 'cfssl' }>;

const limit = 10_000;

/** Has an external authority sign a request: https://github.com/cloudflare/cfssl/blob/master/doc/api/endpoint_sign.txt */
export async function signByCfssl(
  certificateRequest: string,
  { names, subject }: Pick<IssueOptions, 'names' | 'subject'>,
  issuer: Cfssl,
): Promise<string> {
  const { commonName, organization, organizationalUnit } = subject;
  const body = JSON.stringify({
    certificate_request: certificateRequest,
    hosts: names,
    subject: { CN: commonName, names: [{ O: organization, OU: organizationalUnit }] },
  });
  try {
    return certificateOf(JSON.parse(await post(issuer, body)));
  } catch (cause) {
    throw unavailable(`the external certificate authority ${issuer.url} did not issue a certificate`, { cause });
  }
}

async function post({ client, trust, url }: Cfssl, body: string): Promise<string> {
  const request = httpsRequest(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
    ca: trust,
    cert: client.certificate,
    key: client.key,
    signal: AbortSignal.timeout(limit),
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return text(response);
}

function certificateOf(answer: unknown): string {
  const { errors, result, success } = isRecord(answer) ? answer : {};
  if (success !== true || !isRecord(result) || typeof result.certificate !== 'string') {
    throw unavailable(`the answer has no certificate: ${JSON.stringify(errors)}`);
  }
  return result.certificate;
}
