import { variableName } from '@gantry/containers/service';
import type { StageState } from './stage-state.js';

/** Accepted without an ARG, and not recorded in images without one. */
const predefined = new Set(
  ['HTTP_PROXY', 'HTTPS_PROXY', 'FTP_PROXY', 'NO_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()]),
);

/** Values of the client for ARG, and which of them are used. */
export class BuildArguments {
  readonly #used = new Set<string>();
  readonly #globals: Map<string, string | undefined>;

  /** `automatic` has values of names that need neither the client nor a default; the client's take precedence. */
  constructor(
    private readonly given: Readonly<Record<string, string>>,
    automatic: Readonly<Record<string, string>> = {},
  ) {
    this.#globals = new Map(
      Object.entries({ ...automatic, ...given }).filter(([name]) => Object.hasOwn(automatic, name)),
    );
  }

  /** ARG before the first FROM. */
  declareGlobal(name: string, fallback: string | undefined): void {
    this.#globals.set(name, this.#value(name) ?? fallback);
  }

  global(name: string): string | undefined {
    return this.#globals.get(name);
  }

  /** ARG in a stage: the client's value, the default, or the value of a global ARG. */
  declare(state: StageState, name: string, fallback: string | undefined): void {
    state.args.set(name, this.#value(name) ?? fallback ?? this.#globals.get(name));
  }

  /** Arguments in the environment of a program, and those of them that the image's history records, sorted. */
  forProgram(state: StageState): { readonly environment: readonly string[]; readonly recorded: readonly string[] } {
    const inEnvironment = new Set((state.config.Env ?? []).map(variableName));
    const declared = [...state.args].filter(([name, value]) => value !== undefined && !inEnvironment.has(name));
    const quiet = Object.entries(this.given).filter(
      ([name]) => predefined.has(name) && !state.args.has(name) && !inEnvironment.has(name),
    );
    const recorded = declared.map(([name, value]) => `${name}=${value}`).sort();
    return { environment: [...recorded, ...quiet.map(([name, value]) => `${name}=${value}`)], recorded };
  }

  unused(): readonly string[] {
    return Object.keys(this.given)
      .filter((name) => !this.#used.has(name) && !predefined.has(name))
      .sort();
  }

  #value(name: string): string | undefined {
    this.#used.add(name);
    return Object.hasOwn(this.given, name) ? this.given[name] : undefined;
  }
}
