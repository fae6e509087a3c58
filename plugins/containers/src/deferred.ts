interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
}

/** A promise that is resolved from outside, as `Promise.withResolvers` of later versions of the language makes it. */
export function deferred(): Deferred {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
