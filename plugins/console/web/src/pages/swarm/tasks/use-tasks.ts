import { type Inputs, useEffect } from 'preact/hooks';
import { type Resource, useResource } from '../../../events/use-resource';
import { followChanges } from '../follow-changes';

/** As `useResource`, again after each change of a task of the swarm. */
export function useTasks<T>(
  read: (signal: AbortSignal) => Promise<T>,
  inputs: Inputs,
  types: readonly string[],
): [Resource<T>, () => void] {
  const [resource, reload] = useResource(read, inputs, types);
  useEffect(() => {
    const end = new AbortController();
    void followChanges('tasks', reload, end.signal);
    return () => end.abort();
  }, [reload]);
  return [resource, reload];
}
