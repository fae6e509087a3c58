import type { TLSSocket } from 'node:tls';
import { type Context, rawBody } from '@gantry/core/http';
import type { AuthorizationRequest } from '@gantry/lib-plugin-protocol';

const nothing = Buffer.alloc(0);

/** Secrets that are no business of a plugin's. */
const secret = /^(authorization|x-registry-auth|x-registry-config)$/i;

/**
 * A request as a plugin judges it. A JSON body is read here, and the handler gets the very same bytes. Any other body
 * is not shown, and from here on cannot be read in one piece: what only a stream may read are archives.
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
    requestBody: isJson ? await rawBody(ctx) : nothing,
    peerCertificates: certificate === undefined ? [] : [certificate.pem],
  };
}

/** Names as they are written in the protocol's own language: `Content-Type`. */
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
