import { asText } from './client/plugin-answer.js';
import type { PluginClient } from './client/plugin-client.js';

/** A request to authorize. */
export interface AuthorizationRequest {
  /** Common name of the client's certificate; empty without one. */
  readonly user: string;
  /** `TLS` with a user, else empty. */
  readonly method: string;
  readonly requestMethod: string;
  /** As the client wrote it. */
  readonly requestUri: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: Buffer;
  /** PEM texts. */
  readonly peerCertificates: readonly string[];
}

export interface AuthorizationResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface AuthorizationDecision {
  readonly allow: boolean;
  readonly message: string;
}

/** An authorization plugin. */
export class RemoteAuthorization {
  constructor(private readonly client: PluginClient) {}

  get name(): string {
    return this.client.name;
  }

  /** Whether the request may be served. Rejects when the plugin fails or is unreachable. */
  authorizeRequest(request: AuthorizationRequest, signal?: AbortSignal): Promise<AuthorizationDecision> {
    return this.#authorize('AuthZPlugin.AuthZReq', toWire(request), signal);
  }

  /** Whether the response may be sent. */
  authorizeResponse(
    request: AuthorizationRequest,
    { body, headers, status }: AuthorizationResponse,
    signal?: AbortSignal,
  ): Promise<AuthorizationDecision> {
    const answer = {
      ResponseStatusCode: status,
      ResponseHeaders: headers,
      ...(body.length > 0 && { ResponseBody: body.toString('base64') }),
    };
    return this.#authorize('AuthZPlugin.AuthZRes', { ...toWire(request), ...answer }, signal);
  }

  async #authorize(method: string, body: object, signal: AbortSignal | undefined): Promise<AuthorizationDecision> {
    const { Allow, Msg } = await this.client.call(method, body, signal === undefined ? {} : { signal });
    const fault = typeof Allow === 'boolean' ? '' : `its answer to ${method} has no boolean "Allow"`;
    return { allow: Allow === true, message: asText(Msg) || fault };
  }
}

/** Spec: AuthZPlugin.AuthZReq. Bodies and certificates are base64. */
interface AuthorizationBody {
  readonly User?: string;
  readonly UserAuthNMethod?: string;
  readonly RequestMethod: string;
  readonly RequestUri: string;
  readonly RequestHeaders: Readonly<Record<string, string>>;
  readonly RequestBody?: string;
  readonly RequestPeerCertificates?: readonly string[];
}

const toWire = (request: AuthorizationRequest): AuthorizationBody => ({
  ...(request.user !== '' && { User: request.user, UserAuthNMethod: request.method }),
  RequestMethod: request.requestMethod,
  RequestUri: request.requestUri,
  RequestHeaders: request.requestHeaders,
  ...(request.requestBody.length > 0 && { RequestBody: request.requestBody.toString('base64') }),
  ...(request.peerCertificates.length > 0 && {
    RequestPeerCertificates: request.peerCertificates.map((pem) => Buffer.from(pem).toString('base64')),
  }),
});
