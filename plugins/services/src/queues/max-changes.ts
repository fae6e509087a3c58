/** Of one transaction: fewer than stores allow, so that other writers do not wait long. */
export const maxChanges = 500;
