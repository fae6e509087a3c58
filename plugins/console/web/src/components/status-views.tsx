import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../api/api-error';
import type { Resource } from '../events/use-resource';
import { Button } from './button';

const slowAfter = 4_000;

export function Loading({ what }: { readonly what: string }) {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), slowAfter);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="state" role="status">
      <span class="spinner" aria-hidden="true" /> Loading {what}…{slow && ' The engine is slow to answer.'}
    </div>
  );
}

export function Failure({ what, error, retry }: { what: string; error: unknown; retry?: (() => void) | undefined }) {
  return (
    <div class="state failure" role="alert">
      <p>
        Loading {what} failed: <bdi>{messageOf(error)}</bdi>
      </p>
      {retry !== undefined && <Button onPress={retry}>Try again</Button>}
    </div>
  );
}

export const Empty = ({ children }: { readonly children: ComponentChildren }) => <div class="state">{children}</div>;

interface LoadedProps<T> {
  readonly what: string;
  readonly resource: Resource<T>;
  readonly reload?: (() => void) | undefined;
  readonly children: (value: T) => ComponentChildren;
}

/** Shows a resource: that it loads, why it failed, or its value, with a warning when that is out of date. */
export function Loaded<T>({ what, resource, reload, children }: LoadedProps<T>) {
  if (resource.state === 'loading') return <Loading what={what} />;
  if (resource.state === 'failed') return <Failure what={what} error={resource.error} retry={reload} />;
  return (
    <>
      {resource.error !== undefined && (
        <p class="stale" role="status">
          Out of date: loading {what} failed: <bdi>{messageOf(resource.error)}</bdi>
        </p>
      )}
      {children(resource.value)}
    </>
  );
}
