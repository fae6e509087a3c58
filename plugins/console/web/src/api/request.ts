import { Store } from '../store/store';
import { ApiError, isAbort } from './api-error';

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD' | undefined;
  readonly query?: Query | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, for archives. */
  readonly content?: Blob | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Counts the answers that say that the session is over; the application asks for a new one. */
export const signedOutAnswers = new Store(0);

export function urlOf(path: string, query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  const text = parameters.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Resolves with any successful response; everything else is rejected as an {@link ApiError}. */
export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  const { method = 'GET', query, body, content, headers, signal } = options;
  const init: RequestInit = { method, headers: { ...headers }, credentials: 'same-origin', cache: 'no-store' };
  if (signal !== undefined) init.signal = signal;
  if (content !== undefined) {
    init.body = content;
    init.headers = { 'content-type': 'application/x-tar', ...headers };
  } else if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { 'content-type': 'application/json', ...headers };
  }
  const response = await ask(urlOf(path, query), init);
  if (response.ok || response.status === 304) return response;
  if (response.status === 401) signedOutAnswers.set(signedOutAnswers.get() + 1);
  throw new ApiError(response.status, await errorMessage(response));
}

/**
 * What only reads is asked for twice: browsers on the engine's host abort what connects whenever a network interface comes or
 * goes, as those of containers do.
 */
async function ask(url: string, init: RequestInit): Promise<Response> {
  for (let tries = init.method === 'GET' ? 2 : 1; ; tries -= 1) {
    try {
      return await fetch(url, init);
    } catch (error) {
      if (isAbort(error)) throw error;
      if (tries === 1) throw new ApiError(0, 'the engine does not answer');
    }
  }
}

async function errorMessage(response: Response): Promise<string> {
  const fallback = `${response.status} ${response.statusText}`.trim();
  const text = await response.text().catch(() => '');
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && 'message' in parsed) return String(parsed.message) || fallback;
  } catch {
    // Not JSON: the text itself is the message.
  }
  return text.trim() || fallback;
}

/** A request to the engine whose JSON answer is taken as a `T`; undefined for an empty answer. */
export async function call<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const response = await send(`/api${path}`, options);
  const text = await response.text();
  try {
    return (text === '' ? undefined : JSON.parse(text)) as T;
  } catch {
    throw new ApiError(response.status, `the answer to ${path} is not JSON`);
  }
}

export const get = <T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> =>
  call<T>(path, { query, signal });

export const post = <T = void>(path: string, query?: Query, body?: unknown): Promise<T> =>
  call<T>(path, { method: 'POST', query, body });

export const remove = (path: string, query?: Query): Promise<void> => call<void>(path, { method: 'DELETE', query });

/** `filters` of the API: JSON in the query. */
export const filters = (values: Readonly<Record<string, readonly string[]>>): string => JSON.stringify(values);
