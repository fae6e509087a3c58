import type Koa from 'koa';

/** What koa keeps of a response. */
interface Inside {
  _body: unknown;
  readonly _explicitStatus?: boolean;
  status: number;
  remove(header: string): void;
}

/**
 * Has an application take objects and arrays for bodies as they are; they become JSON when they leave. koa would ask first
 * whether each is one of the web's kinds of body, for which Node loads all of `fetch`: 27 ms of the first answer, and a
 * few MiB for good.
 */
export function takePlainBodies({ response }: Koa): void {
  const koas = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(response), 'body');
  const { set } = koas ?? {};
  if (set === undefined) return;
  Object.defineProperty(response, 'body', {
    ...koas,
    set(this: Inside, value: unknown) {
      // A body that another one replaces may have to be closed, which is koa's to do.
      if (!isPlain(value) || (this._body !== undefined && !isPlain(this._body))) return set.call(this, value);
      this._body = value;
      if (this._explicitStatus !== true) this.status = 200;
      this.remove('Content-Length');
    },
  });
}

const isPlain = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype);
