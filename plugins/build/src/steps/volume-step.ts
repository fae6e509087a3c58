import { type ArchiveDriver, ArchiveDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { isDirectory } from '../context/build-context.js';
import { expandWord } from '../file/expand.js';
import type { Instruction } from '../file/instruction.js';
import { splitBlanks } from '../file/words.js';
import { ImageRoots } from '../images/image-roots.js';
import type { BuildSession } from '../session/build-session.js';
import { type StageState, shellOf, variablesOf } from '../stage/stage-state.js';
import type { Step } from './step.js';
import { StepImages } from './step-images.js';

/** VOLUME: declares mount points, none of which may be a file of the image. */
@injectable()
export class VolumeStep implements Step {
  constructor(
    @inject(StepImages) private readonly images: StepImages,
    @inject(ImageRoots) private readonly roots: ImageRoots,
    @inject(ArchiveDrivers.token) private readonly archives: DriverSet<ArchiveDriver>,
  ) {}

  async run(session: BuildSession, state: StageState, { isList, words, rest }: Instruction): Promise<void> {
    const paths = (isList ? words : splitBlanks(rest)).map((word) =>
      expandWord(word, variablesOf(state), session.escapeMark).trim(),
    );
    if (paths.some((path) => path === '')) throw invalidArgument('VOLUME specified can not be an empty string');
    const declared = Object.fromEntries(paths.map((path) => [path, {}]));
    state.config = { ...state.config, Volumes: { ...state.config.Volumes, ...declared } };
    const history = `VOLUME [${paths.join(' ')}]`;
    const command = [...shellOf(state), '#(nop) ', history];
    if (await this.images.reuse(session, state, command)) return;
    await this.#refuseFiles(state, paths, session.signal);
    await this.images.make(session, state, { command, history });
    await this.images.print(state);
  }

  async #refuseFiles({ imageId }: StageState, paths: readonly string[], signal: AbortSignal): Promise<void> {
    if (imageId === undefined) return;
    const root = await this.roots.open(imageId);
    try {
      for (const path of paths) {
        const { mode } = await this.archives.get().resolveInRoot(root.directory, path, { signal });
        if (mode === undefined || isDirectory(mode)) continue;
        throw invalidArgument(`cannot mount volume over existing file, file exists ${path}`);
      }
    } finally {
      await root.release();
    }
  }
}
