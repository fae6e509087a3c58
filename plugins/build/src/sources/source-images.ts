import { inject, injectable } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import type { SourceTree } from '../images/facts-of.js';
import { ImageRoots } from '../images/image-roots.js';
import { SourceTrees } from '../images/source-trees.js';
import type { BuildSession } from '../session/build-session.js';
import type { StageState } from '../stage/stage-state.js';
import { BaseImages } from './base-images.js';

/** Finds the files that `--from` and `from=` name. */
@injectable()
export class SourceImages {
  constructor(
    @inject(BaseImages) private readonly baseImages: BaseImages,
    @inject(ImageRoots) private readonly roots: ImageRoots,
    @inject(SourceTrees) private readonly trees: SourceTrees,
  ) {}

  /** A stage by name or number, else an image, which is pulled when it is not stored; for the empty name, the context. */
  async tree(session: BuildSession, state: StageState, from: string): Promise<SourceTree> {
    if (from === '') return this.trees.ofContext(session.context);
    const named = session.stages.from(from, state.index) === undefined ? session.named.find(from) : undefined;
    if (named?.kind === 'archive' || named?.kind === 'remote') {
      return this.trees.ofContext(await session.named.directory(named));
    }
    const imageId = await this.#imageNamed(session, state, from);
    return this.trees.ofImage(imageId, () => session.root(imageId, () => this.roots.open(imageId)));
  }

  async #imageNamed(session: BuildSession, { index, output }: StageState, from: string): Promise<string> {
    const stage = session.stages.from(from, index);
    if (stage !== undefined) {
      const { imageId } = await session.stages.state(stage);
      if (imageId !== undefined) return imageId;
      throw invalidArgument(`invalid from flag value ${from}: the stage has no files`);
    }
    const named = session.named.find(from);
    if (named?.kind === 'result') return named.imageId;
    if (/^\d+$/.test(from)) throw invalidArgument(`invalid from flag value ${from}: there is no such stage before`);
    const { followsBuildKit, pull } = session.request;
    const onProgress = (item: object): void => void output.object(item);
    const name = named?.kind === 'image' ? named.reference : from;
    return this.baseImages.find(session, name, { pull: followsBuildKit && pull, onProgress });
  }
}
