import type { EngineClient } from 'gantry-client';

interface NetworkFacts {
  readonly Id: string;
  readonly Scope?: string;
}

/** Removes all containers of an engine, and its networks that are not predefined. */
export async function removeContents(engine: EngineClient): Promise<void> {
  const containers = await engine.containers.list({ all: true });
  await Promise.all(containers.map(({ Id }) => engine.containers.get(Id)[Symbol.asyncDispose]()));
  // An engine of chosen packages need not have networks.
  const networks = (await engine.networks.list({ filters: { type: ['custom'] } })) as readonly NetworkFacts[];
  for (const { Id } of networks) await engine.networks.get(Id)[Symbol.asyncDispose]();
}
