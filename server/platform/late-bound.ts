/** Late-bound dependencies, for a module that needs one that is created after it. */

export interface LateBound<T extends object> {
  /** Forwards to the implementation. Reading a property before `connect` throws. */
  readonly port: T;
  connect(implementation: T): void;
}

/** `name` appears in the error if the port is used before `connect`. */
export function lateBound<T extends object>(name: string): LateBound<T> {
  let connected: T | null = null;
  // The target is never used: every property comes from the implementation.
  const port = new Proxy({} as T, {
    get(_target, property) {
      if (!connected) throw new Error(`${name} is used before it is connected`);
      return Reflect.get(connected, property);
    },
  });
  return {
    port,
    connect(implementation) {
      connected = implementation;
    },
  };
}
