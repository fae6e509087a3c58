/** Something only the user can put right; its message is the one line they get to read. */
export class SetupError extends Error {}
