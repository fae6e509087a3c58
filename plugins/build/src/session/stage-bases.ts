import { fullName, normalizeReference } from '@gantry/images/service';
import type { NamedContexts } from '../context/named-contexts.js';
import type { StageBase, StagePosition } from '../contract/build-output.js';
import { expandWord } from '../file/expand.js';
import type { Stage } from '../file/instruction.js';
import { parseRunMounts } from '../file/parse-run-mounts.js';
import type { BuildArguments } from '../stage/build-arguments.js';
import type { BuildStages } from './build-stages.js';

interface Facts {
  readonly wanted: readonly Stage[];
  /** The number of stages in the build file. */
  readonly count: number;
  readonly stages: Pick<BuildStages, 'named' | 'from'>;
  readonly named: Pick<NamedContexts, 'find'>;
  readonly args: Pick<BuildArguments, 'global'>;
  readonly escapeMark: string;
}

/** What the stages of a build begin with. Asked once the arguments in front of the stages are declared. */
export class StageBases {
  #steps: ReadonlyMap<string, number | undefined> | undefined;

  constructor(private readonly facts: Facts) {}

  position(index: number): StagePosition {
    return { index, count: this.facts.count, base: this.#base(index) };
  }

  /** The stage whose FROM stands for all steps that name an image. */
  stageOf(reference: string): { readonly stage: Stage; readonly position: StagePosition } | undefined {
    this.#steps ??= this.#imageSteps();
    const index = this.#steps.get(reference);
    const stage = index === undefined ? undefined : this.facts.wanted[index];
    return index === undefined || stage === undefined ? undefined : { stage, position: this.position(index) };
  }

  #base(index: number): StageBase {
    const { wanted, stages, named, args, escapeMark } = this.facts;
    const { name, base: written = '' } = wanted[index] ?? {};
    const isReplaced = name !== undefined && named.find(name) !== undefined;
    try {
      const base = isReplaced ? name : expandWord(written, (variable) => args.global(variable), escapeMark);
      if (!isReplaced && stages.named(base, index) !== undefined) return { kind: 'stage' };
      return this.#named(base) ?? (base === 'scratch' ? { kind: 'scratch' } : imageOf(base));
    } catch {
      // FROM fails with what is wrong.
      return { kind: 'context' };
    }
  }

  #named(name: string): StageBase | undefined {
    const context = this.facts.named.find(name);
    if (context === undefined) return undefined;
    return context.kind === 'image' ? imageOf(context.reference) : { kind: 'context' };
  }

  /**
   * By images, the stage that is the last to name it where stages follow those they need: BuildKit names what it does once
   * by the last that asks for it.
   */
  #imageSteps(): ReadonlyMap<string, number | undefined> {
    const steps = new Map<string, number | undefined>();
    const visited = new Set<number>();
    const visit = (index: number): void => {
      const stage = this.facts.wanted[index];
      if (stage === undefined || visited.has(index)) return;
      visited.add(index);
      const base = this.#base(index);
      const earlier = base.kind === 'stage' ? this.facts.stages.named(this.#expanded(stage.base), index) : undefined;
      if (earlier !== undefined) visit(earlier);
      if (base.kind === 'image') steps.set(base.reference, index);
      for (const name of sourcesOf(stage)) {
        const from = this.facts.stages.from(name, index);
        if (from !== undefined) visit(from);
        else this.#note(name, steps);
      }
    };
    visit(this.facts.wanted.length - 1);
    return steps;
  }

  #note(name: string, steps: Map<string, number | undefined>): void {
    try {
      const source = this.#named(name) ?? imageOf(name);
      if (source.kind === 'image') steps.set(source.reference, undefined);
    } catch {
      // The step fails with what is wrong.
    }
  }

  #expanded(text: string): string {
    return expandWord(text, (variable) => this.facts.args.global(variable), this.facts.escapeMark);
  }
}

const imageOf = (name: string): StageBase => ({ kind: 'image', reference: fullName(normalizeReference(name)) });

/** What the instructions of a stage copy and mount from, in their order. */
const sourcesOf = ({ instructions }: Stage): readonly string[] =>
  instructions
    .flatMap((instruction) => [
      instruction.flags.get('from') ?? '',
      ...parseRunMounts(instruction).map(({ from }) => from),
    ])
    .filter((name) => name !== '');
