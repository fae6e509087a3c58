import { kindOf } from '@gantry/core/errors';
import type { PluginAnswer } from './plugin-answer.js';
import type { PluginClient } from './plugin-client.js';

/**
 * What a plugin says it can, by a call of its kind. Plugins that are older than the call refuse it, and say nothing.
 * Rejects as calls do when the plugin cannot be reached.
 */
export async function capabilitiesOf(client: PluginClient, call: string): Promise<PluginAnswer> {
  try {
    return await client.call(call);
  } catch (error) {
    if (kindOf(error) === 'internal') return {};
    throw error;
  }
}
