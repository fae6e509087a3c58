import { readFile } from 'node:fs/promises';
import { replaceFile } from '@gantry/core/driver';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { ifPresent } from '../if-present.js';
import type { TaskLayout } from '../layout.js';
import { processIdentitySchema } from '../process-identity.js';

const schema = Type.Object({
  version: Type.Literal(1),
  /** Numbers of processes mean nothing after the next boot. */
  bootId: Type.String(),
  runtime: Type.Object({
    name: Type.String(),
    path: Type.String(),
    args: Type.Array(Type.String()),
    program: Type.Optional(Type.String()),
    executedAs: Type.Optional(Type.String()),
    kind: Type.Union([Type.Literal('runc'), Type.Literal('crun'), Type.Literal('other')]),
    version: Type.String(),
  }),
  cgroup: Type.String(),
  first: processIdentitySchema,
  monitor: processIdentitySchema,
  /** The program, for messages. */
  program: Type.String(),
  terminal: Type.Boolean(),
  stdin: Type.Union([Type.Literal('none'), Type.Literal('once'), Type.Literal('open')]),
  /** The pipe the process reads its stdin from, as the kernel names it: `pipe:[4711]`. */
  stdinPipe: Type.Optional(Type.String()),
  spool: Type.Optional(Type.String()),
  /** Hooks that only the runtime itself can run. */
  hooks: Type.Object({ poststart: Type.Boolean(), poststop: Type.Boolean() }),
});

/** What the next daemon must know of a task. */
export type TaskRecord = Static<typeof schema>;

export const writeRecord = ({ record: file }: TaskLayout, record: TaskRecord): Promise<void> =>
  replaceFile(file, JSON.stringify(record));

/** Undefined when there is none that makes sense. */
export async function readRecord({ record: file }: TaskLayout): Promise<TaskRecord | undefined> {
  const text = await ifPresent(readFile(file, 'utf8'));
  if (text === undefined) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return Value.Check(schema, parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
