import { invalidArgument, messageOf } from '@gantry/core/errors';
import { type Filters, textFilter } from '@gantry/core/http';
import type { ContainerRecord } from '../record.js';
import { parsePort } from '../sandbox/port-requests.js';
import { isRunning, lastRun } from '../transitions.js';
import type { FilterContext, ListQuery } from './list-query.js';
import { matchesPort, parsePortFilter } from './parse-port-filter.js';
import { statusOf } from './status-text.js';

type Test = (record: ContainerRecord) => boolean;

/** Newest first. @throws EngineError `invalid-argument` for a container that is not there. */
export function filterContainers(
  records: readonly ContainerRecord[],
  query: ListQuery,
  context: FilterContext,
): ContainerRecord[] {
  const tests = testsOf(query, context);
  const found = records.filter((record) => tests.every((test) => test(record))).sort(newestFirst);
  return query.limit > 0 ? found.slice(0, query.limit) : found;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Times order as texts: all have nine decimals. */
const newestFirst = (a: ContainerRecord, b: ContainerRecord): number =>
  compare(b.createdAt, a.createdAt) || compare(b.id, a.id);

function testsOf(query: ListQuery, context: FilterContext): Test[] {
  const { filters } = query;
  const stoppedToo =
    query.all ||
    query.limit > 0 ||
    query.since !== undefined ||
    query.before !== undefined ||
    filters.has('status') ||
    filters.has('exited');
  const tests: Test[] = stoppedToo ? [] : [({ state }) => isRunning(state)];
  const bounds = [
    ...[query.before ?? [], filters.get('before')].flat().map((reference) => ['before', reference] as const),
    ...[query.since ?? [], filters.get('since')].flat().map((reference) => ['since', reference] as const),
  ];
  tests.push(...bounds.map(([key, reference]) => boundTest(key, reference, context)));
  tests.push(...filters.keys.map((key) => filterTest(key, filters, context)));
  return tests;
}

function boundTest(key: 'before' | 'since', reference: string, { containers }: FilterContext): Test {
  let bound: ContainerRecord;
  try {
    bound = containers.get(reference);
  } catch (cause) {
    throw invalidArgument(`Invalid filter '${key}=${reference}': ${messageOf(cause)}`, { cause });
  }
  return key === 'before' ? (record) => newestFirst(bound, record) < 0 : (record) => newestFirst(record, bound) < 0;
}

/** The test of one filter: any of its values, for labels all of them. */
function filterTest(key: string, filters: Filters, context: FilterContext): Test {
  const values = filters.get(key);
  switch (key) {
    case 'label':
      return ({ config }) => filters.matchesLabels(config.Labels);
    case 'status':
      return ({ state }) => values.includes(statusOf(state));
    case 'exited': {
      const codes = new Set(values.map(Number));
      return ({ state }) => !isRunning(state) && codes.has(lastRun(state)?.exitCode ?? Number.NaN);
    }
    case 'name': {
      const patterns = values.map((value) => textFilter(key, value));
      return ({ name }) => patterns.some((matches) => matches(name) || matches(`/${name}`));
    }
    case 'id': {
      const patterns = values.map((value) => textFilter(key, value));
      return ({ id }) => patterns.some((matches) => matches(id));
    }
    case 'ancestor': {
      const images = new Set(values.flatMap((reference) => [...context.descendants(reference)]));
      return ({ imageId }) => images.has(imageId);
    }
    case 'volume':
      return ({ mounts }) =>
        mounts.some(({ name = '', source, destination }) =>
          [name, source, destination].some((text) => text !== '' && values.includes(text)),
        );
    case 'network':
      return ({ networks }) =>
        Object.entries(networks).some(([name, { networkId = '' }]) =>
          values.some((value) => value === name || value === networkId || isShortId(value, networkId)),
        );
    case 'health':
      return (record) => values.includes(context.live(record).health?.status ?? 'none');
    case 'isolation':
      return ({ hostConfig }) => values.includes(hostConfig.Isolation || 'default');
    case 'is-task': {
      const wanted = filters.boolean(key);
      return ({ config }) => Object.keys(config.Labels ?? {}).some((label) => taskLabel.test(label)) === wanted;
    }
    case 'publish': {
      const ranges = values.map((value) => parsePortFilter(key, value));
      return (record) =>
        context
          .live(record)
          .endpoints.flatMap(({ ports }) => ports)
          .some(({ hostPort, protocol }) => ranges.some((range) => matchesPort(range, hostPort, protocol)));
    }
    case 'expose': {
      const ranges = values.map((value) => parsePortFilter(key, value));
      return ({ config }) =>
        Object.keys(config.ExposedPorts ?? {})
          .map(parsePort)
          .some(({ port, protocol }) => ranges.some((range) => matchesPort(range, port, protocol)));
    }
    default:
      return () => true;
  }
}

/** The label that containers of the cluster's tasks carry, below whatever domain. */
const taskLabel = /\.swarm\.task\.id$/;

const isShortId = (value: string, id: string): boolean => value.length >= 12 && id.startsWith(value);
