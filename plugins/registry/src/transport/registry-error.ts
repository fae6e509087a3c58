import type { IncomingMessage } from 'node:http';
import { readText } from './read-body.js';

/** A registry answered, and refused. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';

  constructor(
    message: string,
    readonly status: number,
    /** Of the distribution API, such as `MANIFEST_UNKNOWN`; undefined when the answer has none. */
    readonly code: string | undefined,
    /** Milliseconds the registry asked to wait. */
    readonly retryAfter: number | undefined = undefined,
  ) {
    super(message);
  }

  /** True for what may be over in a moment. */
  get isPassing(): boolean {
    return this.status >= 500 || this.status === 429 || this.status === 408;
  }

  get isRefusal(): boolean {
    return this.status === 401 || this.status === 403 || this.code === 'DENIED' || this.code === 'UNAUTHORIZED';
  }
}

/** A connection could not be made, broke, or fell silent. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  constructor(
    message: string,
    /** Nothing listens there: an immediate retry is useless. */
    readonly isRefused: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const bodyLimit = 64 * 1024;

/** For answers without a body, as those to HEAD are. */
const usualWords: Readonly<Record<number, string>> = {
  401: 'unauthorized: authentication required',
  403: 'denied: requested access to the resource is denied',
};

/** Reads the answer's own words. The body is consumed. */
export async function toRegistryError(response: IncomingMessage): Promise<RegistryError> {
  const status = response.statusCode ?? 0;
  const text = await readText(response, bodyLimit).catch(() => '');
  const { code, message } = firstError(text);
  const after = Number(response.headers['retry-after']);
  return new RegistryError(
    wordsOf(code, message) ??
      usualWords[status] ??
      `the registry answered ${status} ${response.statusMessage ?? ''}`.trim(),
    status,
    code,
    Number.isFinite(after) && after >= 0 ? after * 1000 : undefined,
  );
}

function wordsOf(code: string | undefined, message: string | undefined): string | undefined {
  const kind = code?.toLowerCase().replaceAll('_', ' ');
  return kind === undefined ? message : `${kind}: ${message ?? kind}`;
}

function firstError(text: string): { readonly code: string | undefined; readonly message: string | undefined } {
  try {
    const value = JSON.parse(text) as { errors?: { code?: unknown; message?: unknown }[]; details?: unknown };
    const error = value.errors?.[0];
    const message = error?.message ?? value.details;
    return {
      code: typeof error?.code === 'string' ? error.code : undefined,
      message: typeof message === 'string' && message !== '' ? message : undefined,
    };
  } catch {
    return { code: undefined, message: undefined };
  }
}
