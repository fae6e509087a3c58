import { crashPoint } from '@gantry/core/crash-points';
import { invalidArgument } from '@gantry/core/errors';
import { Build } from './build.js';
import { BuildArguments } from './build-arguments.js';
import { type ContextSource, openContext } from './context/open-context.js';
import { expandWord } from './file/expand.js';
import type { BuildFile, Instruction, Stage } from './file/instruction.js';
import { parseBuildFile, parseInstruction } from './file/parse.js';
import type { BuildOutput } from './output.js';
import type { BuildParts } from './parts.js';
import type { BuildRequest } from './request.js';
import { beginStage, perform } from './stage.js';
import type { StageState } from './stage-state.js';

/** Builds images from instructions and files. */
export class Builder {
  constructor(private readonly parts: BuildParts) {}

  /**
   * Spec: POST /build. Resolves to the image id when it has its names. On rejection no container and no file of the
   * build is left, unless the client wants to keep containers; images of steps that went well stay for the cache.
   */
  async build(
    source: ContextSource,
    request: BuildRequest,
    output: BuildOutput,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<string> {
    const { context, instructions } = await openContext(source, this.parts, { signal });
    crashPoint('build.context.open');
    try {
      const file = parseBuildFile(instructions.text, instructions.name);
      const stages = wantedStages(file, request);
      const args = new BuildArguments(request.buildArguments);
      await warn(output, file.emptyContinuations);
      const build = new Build(this.parts, request, context, args, output, file.escapeMark, signal);
      try {
        const id = await runStages(build, file.globals, stages);
        crashPoint('build.steps.done');
        for (const name of args.unused().length > 0 ? [args.unused().join(' ')] : []) {
          await output.write(`[Warning] One or more build-args [${name}] were not consumed\n`);
        }
        await this.parts.exchange.name(id, request.tags);
        crashPoint('build.named');
        await build.release();
        await output.result(id, { asObject: request.namesBuilder });
        for (const tag of request.tags) await output.write(`Successfully tagged ${tag}\n`);
        return id;
      } finally {
        await build.release();
      }
    } finally {
      await context.release();
    }
  }
}

/** In red, as what is wrong with a file that can be built all the same. */
async function warn(output: BuildOutput, emptyContinuations: readonly string[]): Promise<void> {
  if (emptyContinuations.length === 0) return;
  const found = emptyContinuations.map((text) => `[WARNING]: Empty continuation line found in:\n    ${text}\n`);
  const end = '[WARNING]: Empty continuation lines will become errors in a future release.\n';
  await output.write(`\u001b[91m${found.join('')}${end}\u001b[0m`);
}

/** Up to the one the client wants, which gets the client's labels. */
function wantedStages({ stages }: BuildFile, { target, labels }: BuildRequest): readonly Stage[] {
  const named = stages.findIndex(({ name }, index) => name === target.toLowerCase() || String(index) === target);
  if (target !== '' && named < 0) throw invalidArgument(`failed to reach build target ${target} in Dockerfile`);
  const wanted = target === '' ? [...stages] : stages.slice(0, named + 1);
  const last = wanted.at(-1);
  const pairs = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  if (last === undefined || pairs.length === 0) return wanted;
  const text = pairs.map(([name, value]) => `${literal(name)}=${literal(value)}`).join(' ');
  const shown = `LABEL ${pairs.map(([name, value]) => `${name}=${value}`).join(' ')}`;
  const label = { ...parseInstruction(`LABEL ${text}`, last.from.line), text: shown };
  return [...wanted.slice(0, -1), { ...last, instructions: [...last.instructions, label] }];
}

/** In quotes in which nothing is replaced. */
const literal = (text: string): string => `'${text.replaceAll("'", `'"'"'`)}'`;

async function runStages(build: Build, globals: readonly Instruction[], stages: readonly Stage[]): Promise<string> {
  const { args, output } = build;
  const total = globals.length + stages.reduce((sum, { instructions }) => sum + 1 + instructions.length, 0);
  let step = 0;
  const tellStep = async ({ text }: Instruction): Promise<void> => {
    build.signal.throwIfAborted();
    await output.write(`Step ${++step}/${total} : ${text}`);
    await output.write('\n');
  };
  for (const instruction of globals) {
    await tellStep(instruction);
    for (const word of instruction.words) {
      const [name = '', ...rest] = word.split('=');
      const fallback = rest.length === 0 ? undefined : rest.join('=');
      const expand = (text: string) => expandWord(text, (other) => args.global(other), build.escapeMark);
      args.declareGlobal(name, fallback === undefined ? undefined : expand(fallback));
    }
  }
  let state: StageState | undefined;
  for (const stage of stages) {
    await tellStep(stage.from);
    state = await beginStage(build, stage);
    for (const instruction of stage.instructions) {
      await tellStep(instruction);
      await perform(build, state, instruction);
    }
    await build.endStage(stage.name, state);
  }
  if (state?.imageId === undefined) throw invalidArgument('No image was generated. Is your Dockerfile empty?');
  return state.imageId;
}
