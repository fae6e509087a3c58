import { invalidArgument } from '@gantry/core/errors';
import { findBase } from './base-image.js';
import type { Build } from './build.js';
import { expandWord } from './file/expand.js';
import type { Instruction, Keyword, Stage } from './file/instruction.js';
import { parseInstruction } from './file/parse.js';
import { type StageState, withVariables } from './stage-state.js';
import { copy } from './steps/copy.js';
import { run } from './steps/run.js';
import { type Step, settings } from './steps/settings.js';

const steps: Partial<Record<Keyword, Step>> = { ...settings, ADD: copy, COPY: copy, RUN: run };

const defaultPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Does one instruction that is not FROM. */
export async function perform(build: Build, state: StageState, instruction: Instruction): Promise<void> {
  const step = steps[instruction.keyword];
  if (step === undefined) throw invalidArgument(`${instruction.keyword} cannot stand here`);
  build.signal.throwIfAborted();
  await step(build, state, instruction);
}

/** FROM: finds the image, and does what its ONBUILD triggers say. */
export async function beginStage(build: Build, stage: Stage): Promise<StageState> {
  const base = expandWord(stage.base, (name) => build.args.global(name), build.escapeMark);
  if (base === '') throw invalidArgument(`base name (${stage.base}) should not be blank`);
  const state = await baseState(build, base);
  if (!(state.config.Env ?? []).some((entry) => entry.startsWith('PATH='))) {
    state.config = { ...state.config, Env: withVariables(state.config.Env, [['PATH', defaultPath]]) };
  }
  const triggers = state.config.OnBuild ?? [];
  if (triggers.length === 0) {
    await build.tellImage(state);
    return state;
  }
  const { OnBuild: _done, ...config } = state.config;
  state.config = config;
  await build.output.write(`# Executing ${triggers.length} build trigger${triggers.length === 1 ? '' : 's'}`);
  await build.output.write('\n');
  build.tellsImages = false;
  for (const trigger of triggers) await perform(build, state, parseInstruction(trigger, stage.from.line));
  build.tellsImages = true;
  await build.tellImage(state);
  return state;
}

async function baseState(build: Build, base: string): Promise<StageState> {
  const rest = { author: '', args: new Map(), hasOwnCommand: false, usesCache: !build.request.noCache };
  const earlier = build.stages.find(({ name }) => name === base.toLowerCase());
  const imageId =
    earlier === undefined
      ? base === 'scratch'
        ? undefined
        : await findBase(build, base, { pull: build.request.pull })
      : earlier.state.imageId;
  if (imageId === undefined) return { ...rest, imageId, config: {} };
  const image = build.parts.images.get(imageId);
  const document = JSON.parse(build.parts.exchange.content(image.id).configuration) as { readonly author?: string };
  return { ...rest, imageId: image.id, config: image.config, author: document.author ?? '' };
}
