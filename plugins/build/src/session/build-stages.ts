import type { Stage } from '../file/instruction.js';
import { lastNamed } from '../file/wanted-stages.js';
import type { StageState } from '../stage/stage-state.js';

/** The stages of a build file, of which each runs once, when something first asks for it. */
export class BuildStages {
  readonly #states = new Map<number, Promise<StageState>>();

  constructor(
    private readonly stages: readonly Stage[],
    private readonly run: (stage: Stage, index: number) => Promise<StageState>,
  ) {}

  /** The number of the last stage with this name before another stage. */
  named(name: string, before: number): number | undefined {
    return lastNamed(this.stages, name, before);
  }

  /** By name or number, as `--from` has it. */
  from(text: string, before: number): number | undefined {
    const byName = this.named(text, before);
    if (byName !== undefined) return byName;
    return /^\d+$/.test(text) && Number(text) < before ? Number(text) : undefined;
  }

  /** Runs the stage unless it was already started. Resolves when it is complete. */
  state(index: number): Promise<StageState> {
    const known = this.#states.get(index);
    if (known !== undefined) return known;
    const stage = this.stages[index];
    if (stage === undefined) throw new RangeError(`there is no stage ${index}`);
    const state = this.run(stage, index);
    this.#states.set(index, state);
    return state;
  }

  /** The last images of the stages that have completed. */
  async imageIds(): Promise<readonly string[]> {
    const settled = await Promise.allSettled(this.#states.values());
    const ids = settled.flatMap((item) => (item.status === 'fulfilled' ? [item.value.imageId ?? ''] : []));
    return [...new Set(ids)].filter((id) => id !== '');
  }

  /** Waits for all stages that were started. Never rejects. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#states.values());
  }
}
