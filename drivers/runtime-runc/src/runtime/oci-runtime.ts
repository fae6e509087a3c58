/**
 * Which program's habits a runtime has. For `runc` and `crun` the driver does by itself what would otherwise cost the
 * start of a process; everything else is only ever spoken to on its command line.
 */
export type RuntimeKind = 'runc' | 'crun' | 'other';

/** A program that keeps the command line of the OCI runtimes. */
export interface OciRuntime {
  /** As requests and configuration call it. */
  readonly name: string;
  readonly path: string;
  /** Arguments that go before the verb. */
  readonly args: readonly string[];
  readonly kind: RuntimeKind;
  readonly version: string;
}

/** Arguments before the verb, with the place of the runtime's state. */
export const commonArguments = (runtime: Pick<OciRuntime, 'args'>, root: string): readonly string[] => [
  ...runtime.args,
  '--root',
  root,
];

/** Reads the first line of `--version`: `runc version 1.1.5+ds1`. */
export function parseVersion(text: string): Pick<OciRuntime, 'kind' | 'version'> {
  const [, program = '', version = ''] = /^(\S+) version (\S+)/m.exec(text) ?? [];
  return { kind: program === 'runc' || program === 'crun' ? program : 'other', version };
}
