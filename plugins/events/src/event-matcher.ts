import type { EngineEvent } from '@gantry/core/plugin';

/** Spec: GET /events, filters. An event must match one value of every key. */
export type EventFilters = Readonly<Record<string, readonly string[]>>;

export const eventFilterKeys = [
  'container',
  'event',
  'image',
  'label',
  'type',
  'volume',
  'network',
  'daemon',
  'plugin',
  'node',
  'service',
  'secret',
  'config',
  'scope',
] as const;

type Matcher = (event: EngineEvent, wanted: string) => boolean;

/** Matches an id, an id prefix or a name. */
const isActor = (event: EngineEvent, wanted: string): boolean =>
  event.actor.id.startsWith(wanted) || event.actor.attributes.name === wanted;

const isActorOf =
  (type: EngineEvent['type']): Matcher =>
  (event, wanted) =>
    event.type === type && isActor(event, wanted);

const withoutTag = (name: string): string => name.replace(/(@sha256:.*|:[^:/]*)$/, '');

const isImage: Matcher = (event, wanted) => {
  const { id, attributes } = event.actor;
  const names = event.type === 'image' ? [id, attributes.name ?? ''] : [attributes.image ?? ''];
  return names.some(
    (name) => name === wanted || withoutTag(name) === wanted || (event.type === 'image' && name.startsWith(wanted)),
  );
};

const hasLabel: Matcher = (event, wanted) => {
  const [key = '', ...value] = wanted.split('=');
  const actual = event.actor.attributes[key];
  return actual !== undefined && (value.length === 0 || actual === value.join('='));
};

const matchers: Readonly<Record<(typeof eventFilterKeys)[number], Matcher>> = {
  container: isActorOf('container'),
  /** `exec_start` also matches every `exec_start: COMMAND`. */
  event: (event, wanted) => event.action === wanted || event.action.startsWith(`${wanted}:`),
  image: isImage,
  label: hasLabel,
  type: (event, wanted) => event.type === wanted,
  volume: isActorOf('volume'),
  network: isActorOf('network'),
  daemon: isActorOf('daemon'),
  plugin: isActorOf('plugin'),
  node: isActorOf('node'),
  service: isActorOf('service'),
  secret: isActorOf('secret'),
  config: isActorOf('config'),
  scope: ({ scope = 'local' }, wanted) => wanted === scope,
};

/** Returns a predicate for events that match all filters. */
export function eventMatcher(filters: EventFilters): (event: EngineEvent) => boolean {
  const checks = eventFilterKeys.flatMap((key) => {
    const wanted = filters[key];
    return wanted === undefined || wanted.length === 0 ? [] : [{ matches: matchers[key], wanted }];
  });
  return (event) => checks.every(({ matches, wanted }) => wanted.some((value) => matches(event, value)));
}
