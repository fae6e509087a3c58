import type { BuildOutput, Instruction, Stage, StageOutput, StagePosition } from '@gantry/build/service';
import type { JobProgress } from './job-progress.js';
import { VertexStageOutput } from './vertex-stage-output.js';

/** Shows each instruction that makes files as a vertex. */
export class VertexOutput implements BuildOutput {
  constructor(private readonly progress: JobProgress) {}

  plan(): void {}

  async global(_instruction: Instruction): Promise<void> {}

  async text(_text: string): Promise<void> {}

  stage(stage: Stage, position: StagePosition): StageOutput {
    return new VertexStageOutput(this.progress, stage, position);
  }
}
