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
