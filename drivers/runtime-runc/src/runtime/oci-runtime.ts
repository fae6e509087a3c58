import type { OciSpec } from '@gantry/core/contracts';

/**
 * Which program's habits a runtime has. For `runc` and `crun` the driver does by itself what would otherwise cost the
 * start of a process; every other program is only used by its command line.
 */
type RuntimeKind = 'runc' | 'crun' | 'other';

/** A program that keeps the command line of the OCI runtimes. */
export interface OciRuntime {
  /** As requests and configuration call it. */
  readonly name: string;
  /** What is executed. */
  readonly path: string;
  /** Arguments that go before the verb. */
  readonly args: readonly string[];
  /** The runtime's own program, where `path` only leads to it. */
  readonly program?: string;
  /** As what `program` was executed, where that was a copy: the command line of a task's first process begins with it. */
  readonly executedAs?: string;
  readonly kind: RuntimeKind;
  readonly version: string;
}

/** Arguments before the verb, with the place of the runtime's state. */
export const commonArguments = (runtime: Pick<OciRuntime, 'args'>, root: string): readonly string[] => [
  ...runtime.args,
  '--root',
  root,
];

/** The runtime without the programs that are executed before it; undefined when there are none. */
export function bareForm(runtime: OciRuntime): OciRuntime | undefined {
  const { program, path, args } = runtime;
  const at = program === undefined || program === path ? -1 : args.indexOf(program);
  return program === undefined || at < 0 ? undefined : { ...runtime, path: program, args: args.slice(at + 1) };
}

/** The runtime with another file as its program. */
export function withProgram(runtime: OciRuntime, file: string): OciRuntime {
  const { program = runtime.path, path, args } = runtime;
  const other = (word: string): string => (word === program ? file : word);
  return { ...runtime, path: other(path), args: path === program ? args : args.map(other), executedAs: file };
}

/** Reads the first line of `--version`: `runc version 1.1.5+ds1`. */
export function parseVersion(text: string): Pick<OciRuntime, 'kind' | 'version'> {
  const [, program = '', version = ''] = /^(\S+) version (\S+)/m.exec(text) ?? [];
  return { kind: program === 'runc' || program === 'crun' ? program : 'other', version };
}

/** Whether a command line is that of the runtime, which the first process of a task has until it runs the program. */
export const isOfRuntime = (
  commandLine: string,
  { path, program, executedAs }: Pick<OciRuntime, 'path' | 'program' | 'executedAs'>,
): boolean => commandLine.startsWith(`${executedAs ?? program ?? path}\0`);

/** Whether mounts made inside are to appear outside. */
export const sharesMounts = ({ linux, mounts = [] }: OciSpec): boolean =>
  isShared(linux.rootfsPropagation) || mounts.some(({ options = [] }) => options.some(isShared));

const isShared = (propagation: string | undefined): boolean => propagation === 'shared' || propagation === 'rshared';

/**
 * The environment variable of runc and crun for the directory of their executable's copy, which is read-only so that no
 * container can write to it. A runtime that is killed leaves the copy, which is then deleted with the directory.
 */
export const scratchIn = (directory: string): Readonly<Record<string, string>> => ({
  _LIBCONTAINER_STATEDIR: directory,
});
