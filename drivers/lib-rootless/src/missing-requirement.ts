/** What the host lacks for a rootless engine, in one line with the remedy. */
export class MissingRequirement extends Error {
  override readonly name = 'MissingRequirement';
}
