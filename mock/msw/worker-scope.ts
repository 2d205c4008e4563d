/** MSW only warns if the worker cannot intercept the requests of the page: they would reach the real service. */
export function checkScope(
  registration: Pick<ServiceWorkerRegistration, "scope"> | undefined,
  { location, navigator }: Partial<typeof globalThis> = globalThis,
): void {
  // With history.pushState, a page that has a controller may have another URL.
  if (!registration || !location || navigator?.serviceWorker.controller) return;
  if (location.href.startsWith(registration.scope)) return;
  throw new Error(
    `mock.start(): the worker script in ${registration.scope} intercepts no requests of ${location.href}; put it in a folder above that page`,
  );
}

/**
 * Waits until MSW's worker has unregistered itself. A mock that started before would get the registration that is about
 * to go, and might wait for its worker without end.
 *
 * @param registration - None if MSW works without a service worker.
 */
export async function unregistered(
  registration: Pick<ServiceWorkerRegistration, "scope"> | undefined,
  { navigator }: Pick<typeof globalThis, "navigator"> = globalThis,
): Promise<void> {
  if (!registration) return;
  // No event reports it, and timers may be fake. It takes about 10 looks; with another page, the worker stays registered.
  for (let look = 0; look < 200; look++) {
    const registrations = await navigator.serviceWorker.getRegistrations();
    if (!registrations.some(({ scope }) => scope === registration.scope)) return;
  }
}
