import { randomBytes } from 'node:crypto';
import type { SwarmNode } from '@gantry/test-nodes';
import { throughAny } from './through-any.js';

/** Two thirds of what a secret may have. */
const size = 320 * 1024;

interface ListedSecret {
  readonly ID: string;
  readonly Spec: { readonly Name: string };
}

/** Creates a secret, and returns its id. */
export async function createLarge({ client }: SwarmNode, name: string): Promise<string> {
  const Data = randomBytes(size).toString('base64');
  const { id } = (await client.createSecret({ Name: `large-${name}`, Data })) as { readonly id: string };
  return id;
}

/** Removes all of them, through any of the managers. */
export const removeLarge = (managers: readonly SwarmNode[]): Promise<void> =>
  throughAny('the removal of large secrets', managers, async ({ client }) => {
    const secrets = (await client.listSecrets()) as unknown as readonly ListedSecret[];
    for (const { ID, Spec } of secrets) if (Spec.Name.startsWith('large-')) await client.getSecret(ID).remove();
  });
