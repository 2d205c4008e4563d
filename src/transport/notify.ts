/** Calls an application's observer. An error or a rejected promise of an observer must not change what it observes. */
export function notify<Value>(observe: (value: Value) => unknown, value: Value): void {
  try {
    const returned = observe(value);
    if (returned) Promise.resolve(returned).catch(() => {});
  } catch {
    // Ignored, as documented for each observer.
  }
}
