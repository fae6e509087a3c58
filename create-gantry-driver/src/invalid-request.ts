/** The call cannot be meant so; its message says why. */
export class InvalidRequest extends Error {}
