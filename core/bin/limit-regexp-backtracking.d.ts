/** Has V8 bound the time that matching a regular expression takes, for the whole process. */
export function limitRegExpBacktracking(): void;
