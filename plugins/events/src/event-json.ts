import type { EngineEvent } from '@gantry/core/plugin';

const billion = 1_000_000_000n;

/**
 * Spec: Events, shape. Serializes one event as JSON. `timeNano` exceeds the precision of a JavaScript number, so it is
 * appended as text. All events are of this host, the scope `local`. Network, volume and daemon events carry no `status`, `id` or `from`.
 */
export function eventJson(event: EngineEvent, { hasScope }: { readonly hasScope: boolean }): string {
  const legacy = event.type === 'container' || event.type === 'image';
  const head = legacy
    ? {
        status: event.action,
        ...(event.actor.id !== '' && { id: event.actor.id }),
        ...(event.from !== undefined && { from: event.from }),
      }
    : {};
  const body = JSON.stringify({
    ...head,
    Type: event.type,
    Action: event.action,
    Actor: { ID: event.actor.id, Attributes: event.actor.attributes },
    ...(hasScope && { scope: event.scope ?? 'local' }),
    time: Number(event.timeNano / billion),
  });
  return `${body.slice(0, -1)},"timeNano":${event.timeNano}}`;
}

/** Serializes an event as a line of the history. */
export const historyLine = ({ timeNano, ...rest }: EngineEvent): string =>
  `${JSON.stringify({ ...rest, timeNano: String(timeNano) })}\n`;

/** Returns undefined for a line that a crash truncated. */
export function parseHistoryLine(line: string): EngineEvent | undefined {
  try {
    const { timeNano, ...rest } = JSON.parse(line);
    return { ...rest, timeNano: BigInt(timeNano) };
  } catch {
    return undefined;
  }
}
