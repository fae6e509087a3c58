/** Commands the packet filter refused; none of them took effect. */
export class NftablesError extends Error {
  override readonly name = 'NftablesError';

  constructor(
    /** The library's words, with the place in the commands. */
    readonly reason: string,
    /** What was to be run. */
    readonly commands: string,
  ) {
    super(`nftables: ${reason}`);
  }

  /** An object a command is about is not there. */
  get isMissing(): boolean {
    return /No such file or directory/.test(this.reason);
  }

  /** An object to be made is there already. */
  get isPresent(): boolean {
    return /File exists/.test(this.reason);
  }
}
