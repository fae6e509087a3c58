/** The program of a step exited with a code other than 0. */
export class StepFailed extends Error {
  constructor(
    readonly command: readonly string[],
    readonly code: number,
  ) {
    super(`The command '${command.join(' ')}' returned a non-zero code: ${code}`);
  }
}
