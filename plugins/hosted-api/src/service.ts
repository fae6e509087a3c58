import { type ServicePoint, servicePoint } from '@gantry/core/driver';
import type { Context, Router } from '@gantry/core/http';
import type { Account } from './accounts.js';
import type { Access } from './gate.js';
import type { HostedRouter } from './hosted-router.js';
import type { WebLink, WebPage } from './web-pages.js';

export { type Person, personJson } from './account-json.js';
export type { Account } from './accounts.js';
export { entityTag, isConditional, isUnchanged, type Validators } from './conditional.js';
export type { Access, Caller } from './gate.js';
export { type FieldError, HostedError, validationFailed } from './hosted-error.js';
export type { HostedHandler, HostedRouter } from './hosted-router.js';
export { isoSecond, parseIsoMoment } from './iso-moment.js';
export { askOperator, defaultOperatorSocket } from './operator-client.js';
export { linkPages, type Page, readPage } from './pagination.js';
export { bodyParameters, type Parameters, parseObject, queryParameters } from './parameters.js';
export { parseRecord } from './parse-record.js';
export { type Row, textTable } from './text-table.js';
export type { Scope } from './tokens.js';
export type { WebFile } from './web-files.js';
export { type PageOptions, readWebPage, type WebLink, type WebPage } from './web-pages.js';

/** The surface of the hosted API, to which areas add routes and pages. Methods that add return a function that removes. */
export interface HostedApi {
  /**
   * Adds routes that require a token: handlers receive the authenticated user and count against the user's rate limit.
   * Errors are formatted as this API's error body: a `HostedError` with its own status, others by their kind.
   */
  routes(owner: string, access: Access, declare: (router: HostedRouter) => void): () => void;
  /** Adds routes without authentication or limits, such as webhooks that authenticate by signatures. */
  openRoutes(owner: string, declare: (router: Router) => void): () => void;
  /** Adds routes to the operator's socket, which root alone may open. */
  operatorRoutes(owner: string, declare: (router: Router) => void): () => void;
  /** Serves a page read by `readWebPage`, and adds it to the navigation. */
  addPage(owner: string, page: WebPage): () => void;
  /** Adds a link for users who have signed in to a page, behind the pages in the navigation. */
  addLink(link: WebLink): () => void;
  /** The pages that were added, for navigation. */
  readonly pages: readonly Pick<WebPage, 'title' | 'path'>[];
  /** The base of URLs in responses, without a trailing slash. */
  baseUrl<P>(ctx: Context<P>): string;
  /** Seconds for `X-Poll-Interval`; grows with the load. */
  pollInterval(): number;
}

export const HostedApi: ServicePoint<HostedApi> = servicePoint<HostedApi>('hosted-api');

/** The accounts of the hosted API. Reads are look-ups in memory. */
export interface HostedAccounts {
  /** The account with this login, compared case-insensitively. */
  find(login: string): Account | undefined;
  withId(id: number): Account | undefined;
}

export const HostedAccounts: ServicePoint<HostedAccounts> = servicePoint<HostedAccounts>('hosted-accounts');

/** Where the hosted API listens. */
export interface HostedListeners {
  /** The addresses of the surface's listeners; empty until the daemon is ready. */
  readonly addresses: readonly string[];
  /** The path of the operator's socket. */
  readonly operatorSocket: string;
}

export const HostedListeners: ServicePoint<HostedListeners> = servicePoint<HostedListeners>('hosted-listeners');
