import { useEffect, useState } from 'preact/hooks';

/** A value that components subscribe to. */
export class Store<T> {
  private readonly listeners = new Set<() => void>();

  constructor(private value: T) {}

  get(): T {
    return this.value;
  }

  set(value: T): void {
    if (Object.is(value, this.value)) return;
    this.value = value;
    for (const listener of [...this.listeners]) listener();
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

export function useStore<T>(store: Store<T>): T {
  const [, render] = useState({});
  const [seen] = useState(() => ({ value: store.get() }));
  seen.value = store.get();
  useEffect(() => {
    if (!Object.is(seen.value, store.get())) render({});
    return store.subscribe(() => render({}));
  }, [store, seen]);
  return seen.value;
}
