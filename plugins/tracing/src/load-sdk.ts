import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { invalidArgument, messageOf } from '@gantry/core/errors';

/** Loads the module that sets OpenTelemetry up. @throws EngineError `invalid-argument` naming the setting. */
export async function loadSdk(file: string): Promise<void> {
  if (!isAbsolute(file))
    throw invalidArgument(`config.plugins.tracing.sdk: ${JSON.stringify(file)} is no absolute path`);
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    throw invalidArgument(`config.plugins.tracing.sdk: ${file} cannot be loaded: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
