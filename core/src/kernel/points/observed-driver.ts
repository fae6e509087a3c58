/** A call of a driver's method. */
export interface ObservedCall {
  /** Such as `storage`. */
  readonly kind: string;
  readonly id: string;
  /** Such as `mount`, or `io.attach` of a group. */
  readonly method: string;
}

/** Sees the calls of the drivers' methods while they are made, such as for traces. */
export interface CallObserver {
  /** Makes the call once, and returns or throws what it did. */
  observe<T>(call: ObservedCall, run: () => T): T;
}

/** A driver whose methods an observer sees. Values that are no functions, and no groups of them, are the driver's own. */
export function observedDriver<T>(driver: T, kind: string, id: string, observer: CallObserver): T {
  return observedObject(driver, (method, run) => observer.observe({ kind, id, method }, run));
}

function observedObject<T>(object: T, observe: <R>(method: string, run: () => R) => R): T {
  if (typeof object !== 'object' || object === null) return object;
  const seen = new Map<PropertyKey, { readonly of: unknown; readonly as: unknown }>();
  return new Proxy(object, {
    get(target, name) {
      // Private fields are the target's alone.
      const value: unknown = Reflect.get(target, name, target);
      if (typeof name === 'symbol') return value;
      const known = seen.get(name);
      if (known !== undefined && known.of === value) return known.as;
      const as = observedMember(value, target, name, observe);
      seen.set(name, { of: value, as });
      return as;
    },
  });
}

function observedMember(
  value: unknown,
  target: object,
  name: string,
  observe: <R>(method: string, run: () => R) => R,
): unknown {
  if (typeof value === 'function') {
    return (...args: unknown[]) => observe(name, () => Reflect.apply(value, target, args));
  }
  const isGroup =
    typeof value === 'object' && value !== null && Object.values(value).some((member) => typeof member === 'function');
  return isGroup ? observedObject(value, (method, run) => observe(`${name}.${method}`, run)) : value;
}
