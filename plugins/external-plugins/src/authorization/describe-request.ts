import type { TLSSocket } from 'node:tls';
import { type Context, rawBody } from '@gantry/core/http';
import type { AuthorizationRequest } from '@gantry/lib-plugin-protocol';

const empty = Buffer.alloc(0);

/** Headers with secrets, which plugins do not get. */
const secret = /^(authorization|x-registry-auth|x-registry-config)$/i;

/**
 * Describes a request for plugins. A JSON body is read here, and the handler gets exactly these bytes. Any other body is
 * left out; the handler can then read it only as a stream, which only routes that take archives do.
 * Rejects `invalid-argument` for a JSON body larger than the limit.
 */
export async function describeRequest(ctx: Context, limit: number): Promise<AuthorizationRequest> {
  const { req, state } = ctx;
  const isJson = /^\s*application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? '');
  state.bodyLimit = isJson ? Math.min(state.bodyLimit, limit) : 0;
  const certificate = certificateOf(state.connection.socket as Partial<TLSSocket>);
  return {
    user: certificate?.name ?? '',
    method: certificate === undefined ? '' : 'TLS',
    requestMethod: ctx.method,
    requestUri: ctx.originalUrl,
    requestHeaders: headersOf(req.headers),
    requestBody: isJson ? await rawBody(ctx) : empty,
    peerCertificates: certificate === undefined ? [] : [certificate.pem],
  };
}

/** Headers without secrets, with canonical names such as `Content-Type`. */
export function headersOf(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined || secret.test(name)) return [];
      const text = Array.isArray(value) ? value.join(', ') : String(value);
      return [[name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase()), text]];
    }),
  );
}

function certificateOf(socket: Partial<TLSSocket>): { readonly name: string; readonly pem: string } | undefined {
  const peer = socket.getPeerCertificate?.();
  const name = peer?.subject?.CN;
  if (peer === undefined || typeof name !== 'string') return undefined;
  const text = peer.raw.toString('base64').replace(/.{1,64}/g, '$&\n');
  return { name, pem: `-----BEGIN CERTIFICATE-----\n${text}-----END CERTIFICATE-----\n` };
}
