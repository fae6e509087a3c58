/** Commands that nftables rejected; none of them took effect. */
export class NftablesError extends Error {
  override readonly name = 'NftablesError';

  constructor(
    /** The library's message, with the position in the commands. */
    readonly reason: string,
    /** The rejected commands. */
    readonly commands: string,
  ) {
    super(`nftables: ${reason}`);
  }

  /** A command refers to an object that does not exist. */
  get isMissing(): boolean {
    return /No such file or directory/.test(this.reason);
  }

  /** An object to be created exists already. */
  get isPresent(): boolean {
    return /File exists/.test(this.reason);
  }
}
