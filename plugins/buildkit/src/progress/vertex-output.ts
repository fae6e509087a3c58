import type {
  BuildFileLines,
  BuildOutput,
  ImageOutput,
  Instruction,
  NamedText,
  Stage,
  StageOutput,
  StagePosition,
} from '@gantry/build/service';
import type { JobProgress } from './job-progress.js';
import { StepNames } from './step-names.js';
import { VertexImageOutput } from './vertex-image-output.js';
import { VertexStageOutput } from './vertex-stage-output.js';

interface FailedStep {
  readonly lines: BuildFileLines;
  /** Undefined for an instruction that is not shown. */
  readonly digest: string | undefined;
}

/** Shows each image that is looked for, and each instruction that makes files, as a vertex. */
export class VertexOutput implements BuildOutput {
  readonly #images = new Map<string, VertexImageOutput>();

  #file: NamedText | undefined;
  #failed: FailedStep | undefined;

  constructor(
    private readonly progress: JobProgress,
    /** Called with the build file before anything runs. */
    private readonly onBuildFile: (file: NamedText) => void = () => undefined,
  ) {}

  /** Undefined until it is read. */
  get file(): NamedText | undefined {
    return this.#file;
  }

  /** The first step that failed. */
  get failed(): FailedStep | undefined {
    return this.#failed;
  }

  buildFile(file: NamedText): void {
    this.#file = file;
    this.onBuildFile(file);
  }

  plan(): void {}

  async global(_instruction: Instruction): Promise<void> {}

  async text(_text: string): Promise<void> {}

  stage(stage: Stage, position: StagePosition): StageOutput {
    const { base } = position;
    const baseOf = () => (base.kind === 'image' ? this.#images.get(base.reference)?.digest : undefined);
    const onFailure = ({ line, endLine }: Instruction, digest?: string): void => {
      this.#failed ??= { lines: { start: line, end: endLine }, digest };
    };
    return new VertexStageOutput(this.progress, stage, position, { baseOf, onFailure });
  }

  image(reference: string, from?: { readonly stage: Stage; readonly position: StagePosition }): ImageOutput {
    const place = from === undefined ? '' : new StepNames(from.stage, from.position).next();
    const output = new VertexImageOutput(this.progress, reference, `${place}FROM ${reference}`);
    this.#images.set(reference, output);
    return output;
  }
}
