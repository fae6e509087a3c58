import type { HeadListener, Query, StatusExceptions } from '@gantry/core/http';

/** A JSON object that is not looked at any closer. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A change of one JSON value. It returns a copy: what it is given may belong to a record. */
export type Change = (value: unknown) => unknown;

/** What one version changed at one route, for clients that are older. */
export interface RouteSteps {
  /** From this version's answer to the one before. Errors are left alone. */
  readonly answer?: Change;
  /** The same for each object of a stream. */
  readonly item?: Change;
  /** From the decoded body of the version before to this one's. @throws EngineError for what did not exist. */
  readonly body?: Change;
  /** From the query of the version before to this one's. */
  readonly query?: (query: Query) => void;
  /** Changes the head of the answer. */
  readonly head?: HeadListener;
  /** Statuses that errors of a kind had before. */
  readonly statuses?: StatusExceptions;
  /** What the handler has to know: features that clients before this version lack. */
  readonly lacks?: readonly string[];
}

/** What one version changed, by routes as they are declared: `GET /images/json`. */
export interface VersionStep {
  readonly version: string;
  readonly routes: Readonly<Record<string, RouteSteps>>;
}

export const step = (version: string, routes: VersionStep['routes']): VersionStep => ({ version, routes });
