import {
  type Adaptation,
  compareVersions,
  type HeadListener,
  type Query,
  type Route,
  type StatusExceptions,
} from '@gantry/core/http';
import type { Change, RouteSteps, VersionStep } from './step.js';

/** All steps between a version and the newest at one route. */
interface RouteHistory extends Adaptation {
  readonly answer: Change | undefined;
  readonly query: ((query: Query) => void) | undefined;
  readonly head: HeadListener | undefined;
}

/** Composes the steps of each route and version once, when a client first asks for them. */
export class History {
  readonly #composed = new WeakMap<Route, Map<string, RouteHistory | undefined>>();

  /** @param steps by version, oldest first. */
  constructor(private readonly steps: readonly VersionStep[]) {}

  /** Undefined when the route has not changed since. */
  of(route: Route, version: string): RouteHistory | undefined {
    const versions = this.#composed.get(route) ?? new Map<string, RouteHistory | undefined>();
    this.#composed.set(route, versions);
    if (!versions.has(version)) versions.set(version, this.#compose(`${route.method} ${route.path}`, version));
    return versions.get(version);
  }

  #compose(key: string, version: string): RouteHistory | undefined {
    const later = this.steps.filter((step) => compareVersions(step.version, version) > 0);
    const forward = later.flatMap(({ routes }) => routes[key] ?? []);
    if (forward.length === 0) return undefined;
    const back = [...forward].reverse();
    return {
      answer: chained(pick(back, 'answer')),
      item: chained(pick(back, 'item')),
      body: chained(pick(forward, 'body')),
      query: called(pick(forward, 'query')),
      head: called(pick(back, 'head')),
      statuses: Object.assign({}, ...pick(back, 'statuses')) as StatusExceptions,
      lacks: new Set(forward.flatMap(({ lacks = [] }) => lacks)),
    };
  }
}

const pick = <K extends keyof RouteSteps>(steps: readonly RouteSteps[], key: K): NonNullable<RouteSteps[K]>[] =>
  steps.flatMap((step) => (step[key] === undefined ? [] : [step[key]]));

const chained = (changes: readonly Change[]): Change | undefined =>
  changes.length === 0 ? undefined : (value) => changes.reduce((current, change) => change(current), value);

const called = <T>(steps: readonly ((value: T) => void)[]): ((value: T) => void) | undefined =>
  steps.length === 0
    ? undefined
    : (value) => {
        for (const each of steps) each(value);
      };
