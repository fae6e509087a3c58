import { randomBytes } from 'node:crypto';
import { eventually, type SwarmNode } from '@gantry/test-nodes';

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

/** Removes all of them, with the first of the managers that can. Rejects with the reason when a minute does not suffice. */
export async function removeLarge(managers: readonly SwarmNode[]): Promise<void> {
  let reason = 'no manager was asked';
  await eventually('no large secret', async () => {
    for (const { client } of managers) {
      try {
        const secrets = (await client.listSecrets()) as unknown as readonly ListedSecret[];
        for (const { ID, Spec } of secrets) if (Spec.Name.startsWith('large-')) await client.getSecret(ID).remove();
        return true;
      } catch (error) {
        reason = (error as Error).message; // there is no leader, or the secret was removed by a call whose answer was lost
      }
    }
    return false;
  }).catch((cause: unknown) => {
    throw new Error(`large secrets cannot be removed: ${reason}`, { cause });
  });
}
