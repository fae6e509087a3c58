import { posix } from 'node:path';
import { resolveUser } from '@gantry/containers/service';
import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { expandWord } from '../file/expand.js';
import type { Instruction } from '../file/instruction.js';
import { ImageRoots } from '../images/image-roots.js';
import type { BuildSession } from '../session/build-session.js';
import { type StageState, shellOf, variablesOf } from '../stage/stage-state.js';
import { FilePlacer } from './file-placer.js';
import type { Step } from './step.js';
import { StepImages } from './step-images.js';

/** WORKDIR: sets the working directory, and makes it. */
@injectable()
export class WorkingDirectoryStep implements Step {
  constructor(
    @inject(StepImages) private readonly images: StepImages,
    @inject(ImageRoots) private readonly roots: ImageRoots,
    @inject(FilePlacer) private readonly placer: FilePlacer,
  ) {}

  async run(session: BuildSession, state: StageState, { rest }: Instruction): Promise<void> {
    const path = expandWord(rest.trim(), variablesOf(state), session.escapeMark);
    if (path === '') throw invalidArgument('cannot normalize nothing');
    const directory = posix.resolve('/', state.config.WorkingDir ?? '/', path);
    state.config = { ...state.config, WorkingDir: directory };
    const user = session.request.followsBuildKit ? (state.config.User ?? '') : '';
    const command = [...shellOf(state), `#(nop) WORKDIR ${directory}${user === '' ? '' : ` of ${user}`}`];
    if (await this.images.reuse(session, state, command)) return;
    const root = await this.roots.open(state.imageId);
    try {
      const { signal } = session;
      const owner = user === '' ? {} : { owner: await resolveUser(root.directory, user, []) };
      const hasChanged = await this.placer.makeDirectories(root.directory, directory, { ...owner, signal });
      const layer = hasChanged ? await root.diff({ signal }) : undefined;
      await this.images.make(session, state, {
        command,
        history: `WORKDIR ${directory}`,
        ...(layer !== undefined && { layer }),
      });
    } finally {
      session.runInBackground(root.release());
    }
    await this.images.print(state);
  }
}
