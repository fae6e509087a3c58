import { injectable } from '@gantry/core/driver';

/** Containers, as image removal sees them. */
export interface ImageUsers {
  usersOf(imageId: string): readonly ImageUser[];
}

export interface ImageUser {
  readonly containerId: string;
  readonly running: boolean;
}

/** The users of images from all registered sources. */
@injectable()
export class RegisteredUsers implements ImageUsers {
  readonly #sources = new Set<ImageUsers>();

  /** @returns removes the source again. */
  add(users: ImageUsers): () => void {
    this.#sources.add(users);
    return () => this.#sources.delete(users);
  }

  usersOf(imageId: string): readonly ImageUser[] {
    return [...this.#sources].flatMap((source) => source.usersOf(imageId));
  }
}
