import { injectable } from '@gantry/core/driver';

export interface Credentials {
  readonly username?: string;
  readonly password?: string;
}

/**
 * Credentials of sources, in memory only, until the import is complete or cancelled. Nothing can be stolen from the
 * disk; the price is that users enter them again after a restart.
 */
@injectable()
export class CredentialVault {
  readonly #byImport = new Map<number, Credentials>();

  put(importId: number, credentials: Credentials): void {
    this.#byImport.set(importId, credentials);
  }

  of(importId: number): Credentials | undefined {
    return this.#byImport.get(importId);
  }

  delete(importId: number): void {
    this.#byImport.delete(importId);
  }
}
