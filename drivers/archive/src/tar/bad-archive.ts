import { type EngineError, invalidArgument } from '@gantry/core/errors';

/** The archive itself is at fault: damaged or hostile. */
export const badArchive = (message: string, options?: ErrorOptions): EngineError => invalidArgument(message, options);
