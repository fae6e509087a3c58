import { kindOf } from '@gantry/core/errors';
import type { PluginAnswer } from './plugin-answer.js';
import type { PluginClient } from './plugin-client.js';

/**
 * The capabilities that a plugin reports. Older plugins do not know the call; they count as reporting none. Rejects like
 * other calls when the plugin is unreachable.
 */
export async function capabilitiesOf(client: PluginClient, call: string): Promise<PluginAnswer> {
  try {
    return await client.call(call);
  } catch (error) {
    if (kindOf(error) === 'internal') return {};
    throw error;
  }
}
