import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Timestamp, Vertex } from '../protocol/messages.js';
import type { HistoryRecord } from './build-history.js';

const attributes = Type.Record(Type.String(), Type.String());
const timestamp = Type.Unsafe<Timestamp>(Type.Object({ seconds: Type.Number(), nanos: Type.Number() }));

const schema = Type.Object({
  ref: Type.String(),
  exporters: Type.Array(Type.Unsafe<object>(Type.Object({}))),
  frontend: Type.String(),
  attributes,
  isPinned: Type.Boolean(),
  created: Type.Number(),
  completed: Type.Object({ at: Type.Number(), response: attributes, error: Type.Optional(Type.String()) }),
  counts: Type.Object({ steps: Type.Number(), cachedSteps: Type.Number(), completedSteps: Type.Number() }),
  vertexes: Type.Array(Type.Unsafe<Vertex>(Type.Object({ digest: Type.String(), name: Type.String() }))),
  /** With the output as Base64. */
  logs: Type.Array(Type.Object({ vertex: Type.String(), timestamp, stream: Type.Number(), msg: Type.String() })),
});

/** A build that has ended, as it is stored. */
export type StoredBuild = Static<typeof schema>;

export const parseStoredBuild = (value: unknown): StoredBuild => Value.Decode(schema, value);

/** Undefined for a build that runs. */
export function storedBuildOf(record: HistoryRecord): StoredBuild | undefined {
  const { completed, created, progress, ref, frontend, attributes, isPinned } = record;
  if (completed === undefined) return undefined;
  const { at, response, error } = completed;
  return {
    ...{ ref, frontend, attributes, isPinned, counts: progress.counts, created: created.getTime() },
    exporters: [...record.exporters],
    completed: { at: at.getTime(), response, ...(error !== undefined && { error }) },
    vertexes: progress.reported.flatMap(({ vertexes = [] }) => vertexes),
    logs: progress.reported.flatMap(({ logs = [] }) =>
      logs.map((log) => ({ ...log, msg: Buffer.from(log.msg).toString('base64') })),
    ),
  };
}

export function recordOf({ counts, vertexes, logs, created, completed, ...build }: StoredBuild): HistoryRecord {
  const { at, response, error } = completed;
  const reported = [{ vertexes }, { logs: logs.map((log) => ({ ...log, msg: Buffer.from(log.msg, 'base64') })) }];
  return {
    ...build,
    created: new Date(created),
    completed: { at: new Date(at), response, error },
    progress: { counts, reported },
  };
}
