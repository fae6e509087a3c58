import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '@gantry/core/driver';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

const outcomeSchema = Type.Object({
  /** Path, size, modification and boot: another program or another kernel is probed again. */
  key: Type.String(),
  version: Type.String(),
  kind: Type.Union([Type.Literal('runc'), Type.Literal('crun'), Type.Literal('other')]),
  /** Only its version was queried, because another runtime was preferred. */
  isUnproved: Type.Optional(Type.Literal(true)),
  /** Why it does not work; absent when it does. */
  refusal: Type.Optional(Type.String()),
});

const fileSchema = Type.Record(Type.String(), outcomeSchema);

export type ProbeOutcome = Static<typeof outcomeSchema>;

/** The outcomes of probes at earlier starts, so that a start of the daemon need not wait for them. */
export class ProbeMemory {
  #outcomes: Record<string, ProbeOutcome> = {};
  #written: Promise<void> = Promise.resolve();
  readonly #file: string;

  private constructor(root: string) {
    this.#file = join(root, 'probe.json');
  }

  /** A file that cannot be read counts as absent. */
  static async load(root: string): Promise<ProbeMemory> {
    const memory = new ProbeMemory(root);
    try {
      const parsed: unknown = JSON.parse(await readFile(memory.#file, 'utf8'));
      if (Value.Check(fileSchema, parsed)) memory.#outcomes = parsed;
    } catch {
      // Nothing was probed yet.
    }
    return memory;
  }

  recall(name: string, key: string): ProbeOutcome | undefined {
    const outcome = this.#outcomes[name];
    return outcome?.key === key ? outcome : undefined;
  }

  async remember(name: string, outcome: ProbeOutcome): Promise<void> {
    this.#outcomes = { ...this.#outcomes, [name]: outcome };
    // One after the other: they share the draft.
    const written = this.#written.then(() => replaceFile(this.#file, JSON.stringify(this.#outcomes, undefined, 2)));
    this.#written = written.catch(() => undefined);
    await written;
  }
}

/** Identifies a program as it is now, on the kernel that runs now. */
export async function probeKey(path: string, args: readonly string[], bootId: string): Promise<string> {
  const { size, mtimeMs } = await stat(path);
  return [path, ...args, size, mtimeMs, bootId].join(' ');
}
