import type { EngineEvent } from '@gantry/core/plugin';

const billion = 1_000_000_000n;

/**
 * Spec: Events, shape. One object as JSON text. `timeNano` has more digits than a JavaScript number holds, so the text is put
 * together by hand. Network, volume and daemon events carry no `status`, `id` or `from`.
 */
export function eventJson(event: EngineEvent): string {
  const legacy = event.type === 'container' || event.type === 'image';
  const head = legacy
    ? { status: event.action, id: event.actor.id, ...(event.from !== undefined && { from: event.from }) }
    : {};
  const body = JSON.stringify({
    ...head,
    Type: event.type,
    Action: event.action,
    Actor: { ID: event.actor.id, Attributes: event.actor.attributes },
    time: Number(event.timeNano / billion),
  });
  return `${body.slice(0, -1)},"timeNano":${event.timeNano}}`;
}

/** What the history keeps on disk: the same facts, one line each. */
export const historyLine = ({ timeNano, ...rest }: EngineEvent): string =>
  `${JSON.stringify({ ...rest, timeNano: String(timeNano) })}\n`;

/** @returns undefined for a line torn by a crash. */
export function parseHistoryLine(line: string): EngineEvent | undefined {
  try {
    const { timeNano, ...rest } = JSON.parse(line);
    return { ...rest, timeNano: BigInt(timeNano) };
  } catch {
    return undefined;
  }
}
