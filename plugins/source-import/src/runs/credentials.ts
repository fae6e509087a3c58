/** How to get into a source. */
export interface Credentials {
  readonly username?: string;
  readonly password?: string;
}

/**
 * What users gave to get into their sources. Kept in this process' memory alone, and only until the import is complete
 * or cancelled: nothing on the disk can be stolen, and a daemon that was started anew asks for them again.
 */
export class CredentialVault {
  readonly #byImport = new Map<number, Credentials>();

  put(importId: number, credentials: Credentials): void {
    this.#byImport.set(importId, credentials);
  }

  of(importId: number): Credentials | undefined {
    return this.#byImport.get(importId);
  }

  forget(importId: number): void {
    this.#byImport.delete(importId);
  }
}
