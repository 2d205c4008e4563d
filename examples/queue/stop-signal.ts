/** Aborted by Ctrl-C, by a process manager, or when the terminal is closed. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => controller.abort());
  return controller.signal;
}
