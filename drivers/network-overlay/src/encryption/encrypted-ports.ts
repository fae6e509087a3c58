import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject, injectable, PackageDirectories } from '@gantry/core/driver';
import { isErrno } from '@gantry/lib-linux/errors';

/** The UDP ports for which there may be policies and keys in the kernel, as files: a killed daemon leaves them. */
@injectable()
export class EncryptedPorts {
  readonly #directory: string;

  constructor(@inject(PackageDirectories) { state }: PackageDirectories) {
    this.#directory = join(state, 'encrypted-ports');
  }

  list(): readonly number[] {
    try {
      return readdirSync(this.#directory).map(Number).filter(Number.isInteger);
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return [];
      throw error;
    }
  }

  add(port: number): void {
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    writeFileSync(join(this.#directory, `${port}`), '');
  }

  delete(port: number): void {
    rmSync(join(this.#directory, `${port}`), { force: true });
  }
}
