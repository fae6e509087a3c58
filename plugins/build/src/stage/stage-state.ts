import { variableName } from '@gantry/containers/service';
import type { ImageConfig } from '@gantry/images/service';
import type { StageOutput } from '../contract/build-output.js';
import type { Lookup } from '../file/expand.js';

/** The configuration of the next image. */
export type StageConfig = ImageConfig & { readonly Image?: string };

/** The state of a stage between steps. */
export interface StageState {
  /** Its number in the build file. */
  readonly index: number;
  readonly output: StageOutput;
  /** Whether the id of each step's image is printed; not for ONBUILD triggers. */
  printsImages: boolean;
  /** Undefined while the stage is empty. */
  imageId: string | undefined;
  config: StageConfig;
  author: string;
  /** Declared in this stage so far, by name; undefined where neither client nor file gives a value. */
  readonly args: Map<string, string | undefined>;
  /** CMD was set in this stage. */
  hasOwnCommand: boolean;
  /** False after the first step that was not in the cache. */
  usesCache: boolean;
}

export const shellOf = ({ config }: StageState): readonly string[] =>
  config.Shell !== undefined && config.Shell.length > 0 ? config.Shell : ['/bin/sh', '-c'];

/** Variables of a stage; the environment takes precedence over arguments. */
export function variablesOf({ config, args }: StageState): Lookup {
  const environment = new Map(
    config.Env?.filter((entry) => entry.includes('=')).map((entry) => [variableName(entry), entry] as const),
  );
  return (name) => environment.get(name)?.slice(name.length + 1) ?? args.get(name);
}

/** Sets variables, replacing existing ones in place. */
export function withVariables(
  environment: readonly string[] = [],
  pairs: readonly (readonly [name: string, value: string])[],
): readonly string[] {
  const result = new Map(environment.map((entry) => [variableName(entry), entry]));
  for (const [name, value] of pairs) result.set(name, `${name}=${value}`);
  return [...result.values()];
}
