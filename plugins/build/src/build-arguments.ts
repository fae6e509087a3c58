import { variableName } from '@gantry/containers/service';
import type { StageState } from './stage-state.js';

/** Given without an ARG, and left out of what images tell unless there is one. */
const predefined = new Set(
  ['HTTP_PROXY', 'HTTPS_PROXY', 'FTP_PROXY', 'NO_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()]),
);

/** What the client gives for ARG, and which of it nothing has asked for. */
export class BuildArguments {
  readonly #used = new Set<string>();
  readonly #globals = new Map<string, string | undefined>();

  constructor(private readonly given: Readonly<Record<string, string>>) {}

  /** In front of the first FROM. */
  declareGlobal(name: string, fallback: string | undefined): void {
    this.#globals.set(name, this.#value(name) ?? fallback);
  }

  global(name: string): string | undefined {
    return this.#globals.get(name);
  }

  /** In a stage: the client's value, else the default, else that of a global ARG of the same name. */
  declare(state: StageState, name: string, fallback: string | undefined): void {
    state.args.set(name, this.#value(name) ?? fallback ?? this.#globals.get(name));
  }

  /** What a program of a stage gets besides its environment, and which of it its image's history tells, sorted. */
  forProgram(state: StageState): { readonly environment: readonly string[]; readonly told: readonly string[] } {
    const taken = new Set((state.config.Env ?? []).map(variableName));
    const declared = [...state.args].filter(([name, value]) => value !== undefined && !taken.has(name));
    const quiet = Object.entries(this.given).filter(
      ([name]) => predefined.has(name) && !state.args.has(name) && !taken.has(name),
    );
    const told = declared.map(([name, value]) => `${name}=${value}`).sort();
    return { environment: [...told, ...quiet.map(([name, value]) => `${name}=${value}`)], told };
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
